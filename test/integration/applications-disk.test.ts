import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithPrograms } from '../support/describe-with-programs.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { signInAsAdmin, type RestCaller } from '../support/rest-caller.ts';
import { runCommand } from '../support/run-command.ts';
import { waitUntil } from '../support/wait-until.ts';

const path = '/api/v1/applications';
describeWithPrograms(['prlimit'], 'on a full disk Fairway', () => {
  let fairway: Fairway;
  let repository: GitRepository;
  let admin: RestCaller;

  beforeAll(async () => {
    repository = await createGitRepository({ 'app/a.json': configMap('a', { version: '1' }) });
    fairway = await startFairway();
    admin = await signInAsAdmin(fairway);
  }, 60_000);
  afterAll(async () => {
    await fairway.stop();
    await repository.remove();
  });

  /** A limit on the size of files is to the program what a full disk is: nothing more can be written. */
  async function limitFiles(bytes: string): Promise<void> {
    const { code, stderr } = await runCommand('prlimit', ['--pid', String(fairway.pid), `--fsize=${bytes}:unlimited`]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }

  interface Shown {
    readonly operation?: object;
    readonly status?: {
      readonly sync?: { readonly status?: string; readonly revision?: string };
      readonly operationState?: { readonly phase?: string };
    };
  }
  const get = async (): Promise<Shown> => (await admin('GET', `${path}/web`)).json as Shown;

  it('refuses a sync with a word, loses nothing, and goes on when there is room', { timeout: 90_000 }, async () => {
    const source = { repoURL: repository.url, path: 'app', targetRevision: 'HEAD' };
    const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };
    await admin('POST', path, { metadata: { name: 'web' }, spec: { project: 'default', source, destination } });
    await admin('POST', `${path}/web/sync`, {});
    await waitUntil(async () => (await get()).status?.operationState?.phase === 'Succeeded' && (await get()).operation === undefined);
    const second = await repository.commit({ 'app/a.json': configMap('a', { version: '2' }) });
    await limitFiles('1');
    const refused = await admin('POST', `${path}/web/sync`, {});
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(String(refused.json['message'])).toMatch(/disk|space|write/i);
    // It still answers, and says how things are.
    expect((await get()).status?.sync?.status).toBe('Synced');
    await limitFiles('unlimited');
    const started = await waitUntil(async () => {
      const answer = await admin('POST', `${path}/web/sync`, {});
      return answer.status === 200 && answer;
    });
    expect(started.status).toBe(200);
    await waitUntil(async () => {
      const { operation, status } = await get();
      return operation === undefined && status?.sync?.revision === second && status.sync.status === 'Synced';
    });
  });
});
