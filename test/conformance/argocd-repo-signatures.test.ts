import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArgocdUser, type ArgocdUser } from '../support/argocd.ts';
import { describeWithPrograms } from '../support/describe-with-programs.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

/** The client's exit code for an error that the server reported. */
const EXIT_API_ERROR = 20;

describeWithPrograms(['gpg', 'gpgconf'], 'with the gpg of the machine', () => {
  describeWithTool('argocd', 'argocd gpg, with the stock client and keys of gpg', describeKeys);
});

function describeKeys(program: () => string): void {
  let fairway: Fairway;
  let user: ArgocdUser;
  let home: string;
  let ids: string[];
  const gpg = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('gpg', ['--homedir', home, '--batch', '--quiet', ...args])).stdout;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'gpg-'));
    for (const name of ['alice', 'bob'])
      await gpg('--passphrase', '', '--quick-generate-key', `${name}@example.com`, 'ed25519', 'sign', 'never');
    ids = [...(await gpg('--with-colons', '--list-keys')).matchAll(/^pub:.*?:.*?:.*?:([0-9A-F]{16}):/gm)].map(([, id = '']) => id);
    await writeFile(join(home, 'alice.asc'), await gpg('--armor', '--export', 'alice@example.com'));
    await writeFile(join(home, 'both.asc'), await gpg('--armor', '--export'));
    await writeFile(join(home, 'none.asc'), 'no key\n');
    fairway = await startFairway();
    user = await createArgocdUser(program());
    await succeed('login', fairway.address, '--plaintext', '--username', 'admin', '--password', fairway.adminPassword);
  }, 120_000);

  afterAll(async () => {
    await user[Symbol.asyncDispose]();
    await fairway.stop();
    await promisify(execFile)('gpgconf', ['--homedir', home, '--kill', 'all']).catch(() => undefined);
    await rm(home, { recursive: true, force: true });
  });

  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  }
  async function fail(...args: string[]): Promise<string> {
    const { code, stderr } = await user.run(...args);
    expect({ args, code }).toEqual({ args, code: EXIT_API_ERROR });
    return stderr.replaceAll(String.raw`\"`, '"');
  }

  it('adds keys, each once', async () => {
    expect(await succeed('gpg', 'add', '--from', join(home, 'alice.asc'))).toContain('Created 1 key(s) from input file');
    expect(await succeed('gpg', 'add', '--from', join(home, 'both.asc'))).toMatch(
      /Created 1 key\(s\) from input file, and 1 key\(s\) were skipped/,
    );
    expect(await fail('gpg', 'add', '--from', join(home, 'none.asc'))).toContain('this is no public key');
  });

  it('lists them and shows one', async () => {
    const lines = (await succeed('gpg', 'list')).trimEnd().split('\n');
    expect(lines[0]).toMatch(/^KEYID +TYPE +IDENTITY/);
    expect(lines.slice(1).map((line) => line.split(/ +/)[0])).toEqual(ids.toSorted());
    expect(lines[1]).toMatch(/ED25519 +(alice|bob)@example\.com/);
    const [first = ''] = ids;
    expect(await succeed('gpg', 'get', first)).toContain(first);
    const shown = JSON.parse(await succeed('gpg', 'get', first, '-o', 'json')) as { readonly keyData: string; readonly owner: string };
    expect(shown).toMatchObject({ owner: 'alice@example.com', keyData: expect.stringContaining('BEGIN PGP PUBLIC KEY BLOCK') });
  });

  it('removes one', async () => {
    const [first = ''] = ids;
    await succeed('gpg', 'rm', first);
    expect(await succeed('gpg', 'list')).not.toContain(first);
    expect(await fail('gpg', 'get', first)).toContain(`no such key: ${first}`);
    expect(await fail('gpg', 'rm', first)).toContain(`no such key configured: ${first}`);
    expect(await fail('gpg', 'get', 'xyz')).toContain("'xyz' is not a valid GnuPG key ID");
  });
}
