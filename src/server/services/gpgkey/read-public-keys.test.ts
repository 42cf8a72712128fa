import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithPrograms } from '../../../../test/support/describe-with-programs.ts';
import { armour, dearmour } from './armour.ts';
import { readPublicKeys } from './read-public-keys.ts';

describeWithPrograms(['gpg', 'gpgconf'], 'public keys, as gpg sees them', () => {
  let home: string;
  const gpg = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('gpg', ['--homedir', home, '--batch', '--quiet', ...args])).stdout;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'gpg-'));
    for (const [name, algorithm] of [
      ['Ada Test <ada@example.com>', 'ed25519'],
      ['Bob Test <bob@example.com>', 'rsa2048'],
      ['Cyd Test <cyd@example.com>', 'nistp256'],
    ] as const)
      await gpg('--passphrase', '', '--quick-generate-key', name, algorithm, 'sign', 'never');
  }, 60_000);
  afterAll(async () => {
    await promisify(execFile)('gpgconf', ['--homedir', home, '--kill', 'all']).catch(() => undefined);
    await rm(home, { recursive: true, force: true });
  });

  it('have the ids, fingerprints, names and algorithms that gpg gives them', async () => {
    const listed = await gpg('--with-colons', '--fingerprint', '--list-keys');
    const fingerprints = [...listed.matchAll(/^fpr:+([0-9A-F]{40}):/gm)].map(([, fingerprint]) => fingerprint);
    const keys = readPublicKeys(dearmour(await gpg('--armor', '--export')));
    expect(keys.map(({ fingerprint }) => fingerprint)).toEqual(fingerprints);
    expect(keys.map(({ keyId }) => keyId)).toEqual(fingerprints.map((fingerprint) => fingerprint?.slice(-16)));
    expect(keys.map(({ owner, subType }) => `${subType} ${owner}`)).toEqual([
      'ed25519 Ada Test <ada@example.com>',
      'rsa2048 Bob Test <bob@example.com>',
      'nistp256 Cyd Test <cyd@example.com>',
    ]);
  });

  it('are written so that gpg reads them', async () => {
    const [, bob] = readPublicKeys(dearmour(await gpg('--armor', '--export')));
    if (bob === undefined) throw new Error('the key is missing');
    const file = join(home, 'one.asc');
    await writeFile(file, armour(bob.bytes));
    expect(await gpg('--with-colons', '--show-keys', file)).toContain(`fpr:::::::::${bob.fingerprint}:`);
    expect(readPublicKeys(dearmour(armour(bob.bytes)))).toEqual([{ ...bob, bytes: Buffer.from(bob.bytes) }]);
  });

  it('are refused where they are damaged, cut off or secret', async () => {
    const good = await gpg('--armor', '--export', 'ada@example.com');
    const data = dearmour(good);
    for (let length = 1; length < data.length; length += 7) {
      // Where a part is complete there is a key, with less said about it.
      try {
        expect(readPublicKeys(data.subarray(0, length))).toHaveLength(1);
      } catch (error) {
        expect(error).toMatchObject({ message: 'the key is cut off' });
      }
    }
    const at = good.indexOf('\n\n') + 10;
    expect(() => dearmour(`${good.slice(0, at)}${good[at] === 'A' ? 'B' : 'A'}${good.slice(at + 1)}`)).toThrow('checksum');
    const secret = await gpg('--armor', '--export-secret-keys', 'ada@example.com');
    expect(() => readPublicKeys(dearmour(secret.replaceAll('PRIVATE KEY', 'PUBLIC KEY')))).toThrow('this is a secret key');
  });
});

describe('what is no key', () => {
  it.each(['', 'hello', '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----'])('is refused: %j', (text) => {
    expect(() => readPublicKeys(dearmour(text))).toThrow(/no public key|damaged/);
  });
});
