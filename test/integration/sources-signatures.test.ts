import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findIntegrity } from '../../src/sources/index.ts';
import { describeWithPrograms } from '../support/describe-with-programs.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';

describeWithPrograms(['gpg', 'gpgconf'], 'signatures that a project demands', () => {
  let home: string;
  let repository: GitRepository;
  let test: TestSources;
  const keys: { id: string; armoured: string }[] = [];
  const gpg = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('gpg', ['--homedir', home, '--batch', '--quiet', ...args])).stdout;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'gpg-'));
    for (const name of ['alice', 'bob']) {
      await gpg('--passphrase', '', '--quick-generate-key', `${name}@example.com`, 'ed25519', 'sign', 'never');
      const listed = await gpg('--with-colons', '--list-keys', `${name}@example.com`);
      keys.push({
        id: /^pub:.*?:.*?:.*?:([0-9A-F]{16}):/m.exec(listed)?.[1] ?? '',
        armoured: await gpg('--armor', '--export', `${name}@example.com`),
      });
    }
    repository = await createGitRepository({ 'a.yaml': configMap('unsigned') });
    test = await openTestSources();
  }, 60_000);
  afterAll(async () => {
    await test.close();
    await repository.remove();
    await promisify(execFile)('gpgconf', ['--homedir', home, '--kill', 'all']).catch(() => undefined);
    await rm(home, { recursive: true, force: true });
  });

  const keyring = (...known: typeof keys): Map<string, string> => new Map(known.map(({ id, armoured }) => [id, armoured]));
  const render = (integrity: Parameters<TestSources['render']>[1]) => test.render({ repoURL: repository.url, path: '' }, integrity);

  async function commitSigned(name: string, key: string, { of = repository, message = name, more = [] as string[] } = {}): Promise<string> {
    await of.commit({ 'a.yaml': configMap(name) }, message);
    await amendSigned(of, key, more);
    return await of.git('rev-parse', 'HEAD');
  }

  async function amendSigned({ folder }: GitRepository, key: string, more: readonly string[] = []): Promise<void> {
    const gpgProgram = ['-c', `user.signingKey=${key}`, '-c', 'gpg.program=gpg'];
    // The helper's environment has another home: git hands this one to gpg.
    await promisify(execFile)('git', [...gpgProgram, 'commit', '--quiet', '--amend', '--no-edit', '--gpg-sign', ...more], {
      cwd: folder,
      env: { ...process.env, GNUPGHOME: home, GIT_COMMITTER_NAME: 'Ada Test', GIT_COMMITTER_EMAIL: 'ada@example.com' },
    });
  }

  describe('of a whole history', () => {
    const SEAL = 'Seal\n\nArgocd-gpg-seal: looked at by hand';
    let bin: string;
    let other: GitRepository;
    let strict: TestSources;
    let nowMs: number;

    beforeEach(async () => {
      bin = await mkdtemp(join(tmpdir(), 'gpg-bin-'));
      const real = (await promisify(execFile)('sh', ['-c', 'command -v gpg'])).stdout.trim();
      await writeFile(join(bin, 'gpg'), `#!/bin/sh\necho "$@" >>'${bin}/log'\nexec '${real}' "$@"\n`, { mode: 0o755 });
      other = await createGitRepository({ 'a.yaml': configMap('unsigned') });
      nowMs = Date.now();
      strict = await openTestSources({
        clock: { nowMs: () => nowMs },
        tools: { searchPath: `${bin}:${process.env['PATH'] ?? ''}` },
      });
    });
    afterEach(async () => {
      await strict.close();
      await other.remove();
      await rm(bin, { recursive: true });
    });

    /** How many signatures were looked at since the last time. */
    async function countVerified(): Promise<number> {
      const lines = (await readFile(join(bin, 'log'), 'utf8').catch(() => '')).split('\n');
      await rm(join(bin, 'log'), { force: true });
      return lines.filter((line) => line.includes('--verify')).length;
    }
    const demanding = (...allowed: string[]) => ({ integrity: { mode: 'strict' as const, keys: allowed, keyring: keyring(...keys) } });
    const renderAll = (...allowed: string[]) => strict.render({ repoURL: other.url, path: '' }, demanding(...allowed));
    const [alice, bob] = [() => keys[0]?.id ?? '', () => keys[1]?.id ?? ''];

    it('are looked at down to a good seal, and once', { timeout: 60_000 }, async () => {
      for (const name of ['a', 'b']) await commitSigned(name, alice(), { of: other });
      await commitSigned('sealed', alice(), { of: other, message: SEAL });
      await commitSigned('c', alice(), { of: other });
      await renderAll(alice());
      expect(await countVerified()).toBe(2);
      await commitSigned('d', alice(), { of: other });
      await renderAll(alice());
      await renderAll(alice());
      expect(await countVerified()).toBe(1);
      // Other rules are another matter, and what was good an hour ago may have expired.
      await renderAll(alice(), bob());
      expect(await countVerified()).toBe(3);
      nowMs += 30 * 60_000;
      await commitSigned('e', alice(), { of: other });
      await renderAll(alice());
      expect(await countVerified()).toBe(1);
      nowMs += 31 * 60_000;
      await commitSigned('f', alice(), { of: other });
      await renderAll(alice());
      expect(await countVerified()).toBe(5);
    });

    it('are looked at in a new mirror after one turned out to be damaged', { timeout: 60_000 }, async () => {
      await commitSigned('sealed', alice(), { of: other, message: SEAL });
      await renderAll(alice());
      const [name = ''] = await readdir(join(strict.folder, 'mirrors'));
      await rm(join(strict.folder, 'mirrors', name, 'objects', 'pack'), { recursive: true });
      await expect(renderAll(alice(), bob())).rejects.toThrow('signatures cannot be checked');
      expect((await renderAll(alice(), bob())).objects).toHaveLength(1);
    });

    it('are looked at once for all who ask at the same time', { timeout: 60_000 }, async () => {
      await commitSigned('sealed', alice(), { of: other, message: SEAL });
      for (const name of ['a', 'b']) await commitSigned(name, alice(), { of: other });
      await Promise.all(Array.from({ length: 10 }, () => renderAll(alice())));
      expect(await countVerified()).toBe(3);
    });

    it('are not looked at again at every look where one is bad, unless somebody asks', { timeout: 60_000 }, async () => {
      await commitSigned('sealed', alice(), { of: other, message: SEAL });
      await commitSigned('by-bob', bob(), { of: other });
      const refused = async (more: { fresh?: boolean; hard?: boolean } = {}): Promise<number> => {
        const rendered = strict.render({ repoURL: other.url, path: '' }, { ...demanding(alice()), ...more });
        await expect(rendered).rejects.toThrow(`signed with unallowed key (key_id=${bob()})`);
        return await countVerified();
      };
      expect([await refused(), await refused(), await refused()]).toEqual([2, 0, 0]);
      // All applications of a repository ask after a push.
      expect(await refused({ fresh: true })).toBe(0);
      nowMs += 11_000;
      // The other one was good, and is so for an hour.
      expect([await refused({ fresh: true }), await refused()]).toEqual([1, 0]);
      nowMs += 11_000;
      expect(await refused({ hard: true })).toBe(1);
      // The third time in a row is remembered for four times as long as the first.
      nowMs += 3 * 60_000;
      expect(await refused()).toBe(0);
      nowMs += 61_000;
      expect(await refused()).toBe(1);
      await renderAll(alice(), bob());
    });

    it('are looked at once for commits that stand on each other, in whatever order they are asked for', { timeout: 60_000 }, async () => {
      await commitSigned('sealed', alice(), { of: other, message: SEAL });
      const older = await commitSigned('a', alice(), { of: other });
      await commitSigned('b', alice(), { of: other });
      await renderAll(alice());
      expect(await countVerified()).toBe(3);
      await strict.render({ repoURL: other.url, path: '', targetRevision: older }, demanding(alice()));
      expect(await countVerified()).toBe(0);
    });

    it('that take too long are told of, and how the history can be shortened', { timeout: 60_000 }, async () => {
      await commitSigned('signed', alice(), { of: other });
      const hasty = await openTestSources({ limits: { signaturesMs: 0 } });
      const rendered = hasty.render({ repoURL: other.url, path: '' }, demanding(alice()));
      await expect(rendered).rejects.toThrow('took longer than 0s; a well signed commit with the trailer Argocd-gpg-seal');
      await hasty.close();
    });

    it('that take too long are read on the next time, from where they were left', { timeout: 60_000 }, async () => {
      await commitSigned('sealed-by-bob', bob(), { of: other, message: SEAL });
      await commitSigned('by-alice', alice(), { of: other });
      const log = join(bin, 'log');
      const lines = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8') : '').split('\n');
      // Each signature takes six minutes of the ten that there are.
      const slow = await openTestSources({
        clock: { nowMs: () => nowMs + 6 * 60_000 * lines().filter((line) => line.includes('--verify')).length },
        tools: { searchPath: `${bin}:${process.env['PATH'] ?? ''}` },
      });
      const render = () => slow.render({ repoURL: other.url, path: '' }, demanding(alice()));
      await expect(render()).rejects.toThrow('took longer than 10m0s');
      nowMs += 61_000;
      await expect(render()).rejects.toThrow(`signed with unallowed key (key_id=${bob()})`);
      await slow.close();
    });

    it('PROJ-12: are not hidden by a seal that is not well signed, nor by a name that looks like one', { timeout: 60_000 }, async () => {
      await commitSigned('sealed-by-bob', bob(), { of: other, message: SEAL });
      for (const name of ['x', 'y']) {
        await commitSigned(name, alice(), { of: other });
        const error = await renderAll(alice()).then(() => '', String);
        expect(error).toContain(`signed with unallowed key (key_id=${bob()})`);
        expect(error).toContain(': unsigned');
      }
      await renderAll(alice(), bob());
      await other.commit({ 'a.yaml': configMap('sealed-by-nobody') }, SEAL);
      await commitSigned('z', alice(), { of: other });
      await expect(renderAll(alice(), bob())).rejects.toThrow(/'Ada Test <ada@example\.com>': unsigned$/);
      const more = ['--author', 'Eve\x1fseal <eve@example.com>'];
      await commitSigned('named', alice(), { of: other, more });
      await expect(renderAll(alice(), bob())).rejects.toThrow(': unsigned');
    });

    it('PROJ-12: are looked at where they are reached past a seal', { timeout: 60_000 }, async () => {
      const unsigned = await other.git('rev-parse', 'HEAD');
      await commitSigned('sealed', alice(), { of: other, message: SEAL });
      await commitSigned('after', alice(), { of: other });
      await renderAll(alice());
      await other.git('checkout', '--quiet', '-b', 'side', unsigned);
      await commitSigned('beside', alice(), { of: other });
      await other.git('checkout', '--quiet', 'main');
      await other.git('merge', '--quiet', '--no-ff', '--strategy', 'ours', '--message', 'Merge', 'side');
      await amendSigned(other, alice());
      await expect(renderAll(alice())).rejects.toThrow(new RegExp(`revision ${unsigned} by .*: unsigned$`));
    });

    it('PROJ-12: are fetched where only some were, when the repository had a depth', { timeout: 60_000 }, async () => {
      await commitSigned('signed', alice(), { of: other });
      const access = { url: other.url, type: 'git', owner: 'x' } as const;
      const shallow = await openTestSources({ access: [{ ...access, depth: 1 }] });
      expect((await shallow.render({ repoURL: other.url, path: '' })).objects).toHaveLength(1);
      const whole = await openTestSources({ access: [access], folder: shallow.folder });
      const integrity = { mode: 'strict' as const, keys: [alice()], keyring: keyring(...keys) };
      await expect(whole.render({ repoURL: other.url, path: '' }, { integrity })).rejects.toThrow(': unsigned');
      await whole.close();
      await shallow.close();
    });
  });

  it('are missing, by an allowed key, by another, by an unknown one', { timeout: 60_000 }, async () => {
    const [alice, bob] = keys;
    if (alice === undefined || bob === undefined) throw new Error('the keys were not made');
    const head = (known: typeof keys, ...allowed: string[]) => ({
      integrity: { mode: 'head' as const, keys: allowed, keyring: keyring(...known) },
    });
    await expect(render(head(keys, alice.id))).rejects.toThrow(
      /^GIT\/GPG: Failed verifying revision [0-9a-f]{40} by 'Ada Test <ada@example\.com>': unsigned$/,
    );
    expect((await render({})).objects).toHaveLength(1);
    await commitSigned('signed', alice.id);
    expect((await render(head(keys, alice.id))).objects[0]?.metadata.name).toBe('signed');
    await expect(render(head(keys, bob.id))).rejects.toThrow(`signed with unallowed key (key_id=${alice.id})`);
    await expect(render(head([bob], alice.id))).rejects.toThrow('signed with key not in keyring');
    await expect(render(head([], alice.id))).rejects.toThrow('signed with key not in keyring');
    const strict = { integrity: { mode: 'strict' as const, keys: [alice.id], keyring: keyring(alice) } };
    await expect(render(strict)).rejects.toThrow('unsigned');
    const shallow = await openTestSources({ access: [{ url: repository.url, type: 'git', owner: 'x', depth: 1 }] });
    await expect(shallow.render({ repoURL: repository.url, path: '' }, strict)).rejects.toThrow('fetched with a depth');
    await shallow.close();
  });

  it('are told with what else a commit says, where they are demanded', { timeout: 60_000 }, async () => {
    const [alice, bob] = keys;
    if (alice === undefined || bob === undefined) throw new Error('the keys were not made');
    const source = { repoURL: repository.url, path: '' };
    const describeBy = async (commit: string, allowed: string, known: typeof keys) => {
      const integrity = { mode: 'head' as const, keys: [allowed], keyring: keyring(...known) };
      const { signatureInfo, sourceIntegrityResult } = await test.sources.revisionMetadata(source, commit, {
        project: 'default',
        integrity,
      });
      return [signatureInfo, sourceIntegrityResult?.Checks[0]?.Problems.join().replace(/^GIT.*>': /, '')];
    };
    const unsigned = await repository.commit({ 'a.yaml': configMap('nobody-signed') });
    expect(await describeBy(unsigned, alice.id, keys)).toEqual(['Revision is not signed.', 'unsigned']);
    const signed = await commitSigned('alice-signed', alice.id);
    const good = `Good signature from EDDSA key ${alice.id}`;
    expect(await describeBy(signed, alice.id, keys)).toEqual([good, '']);
    expect(await describeBy(signed, bob.id, keys)).toEqual([good, `signed with unallowed key (key_id=${alice.id})`]);
    expect((await describeBy(signed, alice.id, [bob]))[0]).toBe(`Unknown signature from EDDSA key ${alice.id}`);
    expect(await test.sources.revisionMetadata(source, signed, { project: 'default' })).not.toHaveProperty('signatureInfo');
  });

  it(
    'PROJ-12: by a key under the id of another, by one bad key many times, or good ones above bad ones, are none',
    { timeout: 60_000 },
    async () => {
      const [alice, bob] = keys;
      if (alice === undefined || bob === undefined) throw new Error('the keys were not made');
      await commitSigned('by-bob', bob.id);
      const spoofed = new Map([[alice.id, bob.armoured]]);
      await expect(render({ integrity: { mode: 'head', keys: [alice.id], keyring: spoofed } })).rejects.toThrow('unallowed key');
      for (const name of ['again', 'and-again']) await commitSigned(name, bob.id);
      const strict = { integrity: { mode: 'strict' as const, keys: [alice.id], keyring: keyring(alice, bob) } };
      await expect(render(strict)).rejects.toThrow(`signed with unallowed key (key_id=${bob.id})`);
      await commitSigned('good-above-bad', alice.id);
      await expect(render(strict)).rejects.toThrow(`signed with unallowed key (key_id=${bob.id})`);
      // The newest alone is good, which is all that the other mode asks for; a branch of any name is no more than its commit.
      await repository.git('branch', '--force', 'v9.9.9');
      const head = { integrity: { ...strict.integrity, mode: 'head' as const } };
      expect((await render(head)).objects[0]?.metadata.name).toBe('good-above-bad');
      await repository.commit({ 'a.yaml': configMap('unsigned-again') });
      await repository.git('branch', '--force', 'v9.9.9');
      await expect(test.render({ repoURL: repository.url, path: '', targetRevision: 'v9.9.9' }, head)).rejects.toThrow('unsigned');
    },
  );

  it('of a tag that is an object of its own count for what it points to', { timeout: 60_000 }, async () => {
    const [alice, bob] = keys;
    if (alice === undefined || bob === undefined) throw new Error('the keys were not made');
    const policy = (mode: 'head' | 'strict', ...allowed: string[]) => ({ integrity: { mode, keys: allowed, keyring: keyring(...keys) } });
    const at = (targetRevision: string, mode: 'head' | 'strict' = 'head', known = test) =>
      known.render({ repoURL: repository.url, path: '', targetRevision }, policy(mode, alice.id));
    const sign = (key: string, ...args: string[]) =>
      promisify(execFile)(
        'git',
        ['-c', `user.signingKey=${key}`, '-c', 'gpg.program=gpg', 'tag', '--sign', '--message', 'A release\n\nö', ...args],
        {
          cwd: repository.folder,
          env: { ...process.env, GNUPGHOME: home, GIT_COMMITTER_NAME: 'Ada Test', GIT_COMMITTER_EMAIL: 'ada@example.com' },
        },
      );
    await repository.commit({ 'a.yaml': configMap('released') });
    await sign(alice.id, 'v1.0.0');
    await sign(bob.id, 'v1.0.1');
    await repository.git('tag', '--annotate', '--message', 'x', 'v1.0.2');
    await repository.git('tag', 'light');
    expect((await at('v1.0.0')).objects[0]?.metadata.name).toBe('released');
    await expect(at('v1.0.1')).rejects.toThrow(
      `GIT/GPG: Failed verifying revision v1.0.1 by 'Ada Test <ada@example.com>': signed with unallowed key (key_id=${bob.id})`,
    );
    await expect(at('v1.0.2')).rejects.toThrow("GIT/GPG: Failed verifying revision v1.0.2 by 'Ada Test <ada@example.com>': unsigned");
    await expect(at('1.0.*')).rejects.toThrow('v1.0.2');
    await expect(at('light')).rejects.toThrow(/^GIT\/GPG: Failed verifying revision [0-9a-f]{40} .*: unsigned$/);
    await expect(at('v1.0.0', 'strict')).rejects.toThrow('unsigned');

    // A server that says of a signed tag that it points to something else is not believed.
    await sign(alice.id, 'v1.0.3');
    const signed = await repository.git('rev-parse', 'HEAD');
    const evil = await repository.commit({ 'a.yaml': configMap('evil') });
    await repository.git('pack-refs', '--all');
    const packed = join(repository.folder, '.git', 'packed-refs');
    const lines = await readFile(packed, 'utf8');
    expect(lines).toContain(`refs/tags/v1.0.3\n^${signed}`);
    await writeFile(packed, lines.replace(`refs/tags/v1.0.3\n^${signed}`, `refs/tags/v1.0.3\n^${evil}`));
    await expect(at('v1.0.3')).rejects.toThrow('the tag points to another commit');

    // What was signed as one release is not another, and what was changed after it was signed is nothing.
    await repository.git('update-ref', 'refs/tags/v2.0.0', await repository.git('rev-parse', 'v1.0.0'));
    await expect(at('v2.0.0')).rejects.toThrow('the tag was signed under another name');
    const forged = join(repository.folder, '.git', 'forged');
    await writeFile(forged, (await repository.git('cat-file', 'tag', 'v1.0.0')).replace('A release', 'B release') + '\n');
    await repository.git('update-ref', 'refs/tags/v1.0.0', await repository.git('hash-object', '-t', 'tag', '-w', forged));
    const later = await openTestSources();
    await expect(at('v1.0.0', 'head', later)).rejects.toThrow('bad signature');
    await later.close();
  });
});

describe('the rule of a project for a repository', () => {
  const policy = (urls: string[], mode = 'head') => ({ repos: urls.map((url) => ({ url })), gpg: { mode, keys: ['K'] } });
  const find = (policies: ReturnType<typeof policy>[], url: string) =>
    findIntegrity({ sourceIntegrity: { git: { policies } }, signatureKeys: [{ keyID: 'OLD' }] }, url, new Map());

  it('is the one that matches, or none', () => {
    expect(find([policy(['https://a/*'], 'strict')], 'https://a/x/y')).toMatchObject({ mode: 'strict', keys: ['K'] });
    expect(find([policy(['*', '!https://a/*'])], 'https://a/x')).toBeUndefined();
    expect(find([policy(['*'], 'none')], 'https://a/x')).toBeUndefined();
    expect(find([], 'https://a/x')).toBeUndefined();
    expect(() => find([policy(['*']), policy(['https://a/*'])], 'https://a/x')).toThrow(
      'multiple (2) git source integrity policies found for repo URL: https://a/x',
    );
    expect(() => find([policy(['*'], 'sometimes')], 'https://a/x')).toThrow('is not known');
  });

  it('is that of the older field where the newer is not there', () => {
    expect(findIntegrity({ signatureKeys: [{ keyID: 'OLD' }] }, 'https://a/x', new Map())).toMatchObject({ mode: 'head', keys: ['OLD'] });
    expect(findIntegrity({}, 'https://a/x', new Map())).toBeUndefined();
  });
});
