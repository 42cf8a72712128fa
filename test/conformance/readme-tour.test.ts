import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFairway } from '../support/fairway.ts';
import type { Fairway } from '../support/fairway.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { BUILD_LIMIT_MS, ensureTool } from '../support/tools/ensure-tool.ts';

const COMMAND_LIMIT_MS = 240_000;

/** The shell blocks of the tour in the README, in order. */
async function readTour(): Promise<string[]> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const tour = readme.split(/^## /m).find((section) => section.startsWith('A tour')) ?? '';
  return [...tour.matchAll(/^```bash\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
}

describeWithTool('argocd', 'the tour of the README works when pasted', (argocd) => {
  let fairway: Fairway;
  let home: string;
  let output: string[];

  beforeAll(async () => {
    const [start = '', ...blocks] = await readTour();
    const [, password] = /FAIRWAY_ADMIN_PASSWORD=(\S+) npm start/.exec(start) ?? [];
    if (password === undefined) throw new Error('the tour does not begin with npm start and a password');
    const tools = await Promise.all((['kubectl', 'kustomize', 'helm'] as const).map((name) => ensureTool(name)));
    const path = [argocd(), ...tools].map((tool) => dirname(tool)).join(':');
    const searchPath = `${path}:${process.env['PATH']}`;
    fairway = await startFairway({ env: { FAIRWAY_ADMIN_PASSWORD: password, PATH: searchPath } });
    home = await mkdtemp(join(tmpdir(), 'fairway-tour-'));
    // One shell for all blocks, as in a reader's terminal; a mark after each tells them apart.
    const script = blocks
      .map((block) => `${block}\necho; echo "--8<--"\n`)
      .join('')
      .replaceAll('127.0.0.1:8080', fairway.address)
      .replaceAll('.fairway/', `${fairway.dataDir}/`);
    output = (await runShell(script, { HOME: home, PATH: searchPath, FAIRWAY_LISTEN: fairway.address })).split('--8<--\n');
  }, BUILD_LIMIT_MS);

  afterAll(async () => {
    await fairway?.stop();
    await rm(home, { recursive: true, force: true });
  });

  it('is alive', () => {
    expect(output[0]).toBe('ok\n\n');
  });

  it('signs in, and knows who it is and what it may do', () => {
    expect(output[2]).toContain('"loggedIn":true');
    expect(output[2]).toContain('{"value":"yes"}');
    expect(output[2]).toContain('"Version":"v3.5.6');
  });

  it('answers mistakes with the place and the code', () => {
    expect(output[3]).toContain('"code":3');
    expect(output[3]).toMatch(/line 1, column \d+/);
    expect(output[3]).toContain('{"error":"no session information","code":16,"message":"no session information"}');
  });

  it('serves the stock client', () => {
    expect(output[4]).toContain("'admin:login' logged in successfully");
    expect(output[4]).toMatch(/^admin +true +login/m);
    expect(output[4]).toContain(`Logged out from '${fairway.address}'`);
  });

  it('serves kubectl, with workloads that look alive', () => {
    expect(output[5]).toContain('deployment "web" successfully rolled out');
    expect(output[5]?.match(/^web-\S+ +1\/1 +Running/gm)).toHaveLength(2);
  });

  it('shows what it knows as the objects of an installation', () => {
    for (const name of ['configmap/argocd-cm', 'secret/argocd-secret', 'appproject.argoproj.io/default']) expect(output[6]).toContain(name);
  });

  it('makes a repository with an example', () => {
    expect(output[7]).toMatch(/^file:\/\/\/.*\/fairway-example$/m);
  });

  it('deploys an application, and heals it when somebody meddles', () => {
    expect(output[8]).toMatch(/^shop +Synced +Healthy/m);
    expect(output[9]).toMatch(/deployment\.apps\/shop condition met/);
    expect(output[9]).toMatch(/application\.argoproj\.io\/shop condition met/);
  });

  it('ships a bad release, goes back, holds it there and lets go', () => {
    expect(output[10]).toContain('application.argoproj.io/shop condition met');
    expect(output[11]).toMatch(/held at [0-9a-f]{40} by admin: 2\.0 does not start/);
    expect(output[12]).toContain('application.argoproj.io/shop condition met');
  });

  it('tells who did what, and takes it all away', () => {
    expect(output[13]).toMatch(/^ResourceCreated +admin created application$/m);
    expect(output[13]).toMatch(/^OperationStarted +admin initiated rollback to 0 and pinned it$/m);
    expect(output[13]).toMatch(/^ResourceUpdated +Updated health status: \w+ -> Degraded$/m);
    expect(output[13]).toContain('\n{}');
  });

  it('does the same with the stock client, Kustomize and Helm', () => {
    expect(output[14]).toMatch(/argocd\/production .* Synced +Healthy/);
    expect(output[14]).toMatch(/argocd\/chart .* Synced +Healthy/);
    expect(output[14]).toMatch(/^1 +.*$/m);
    expect(output[14]).toContain("application 'chart' deleted");
  });
});

function runShell(script: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'bash',
      ['-eu', '-c', script],
      { env, cwd: fileURLToPath(new URL('../..', import.meta.url)), timeout: COMMAND_LIMIT_MS },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${error.message}\n${stdout}${stderr}`));
        else resolve(stdout);
      },
    );
    child.stdin?.end();
  });
}
