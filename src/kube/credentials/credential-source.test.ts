import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { createCredentialSource } from './credential-source.ts';
import type { Credentials } from './credentials.ts';

const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
const base = { identity: { type: 'none' }, trust: { insecure: false }, disableCompression: false } as const satisfies Credentials;

describe('credentials in use', () => {
  const source = (credentials: Partial<Credentials>, nowMs = () => 0) =>
    createCredentialSource({
      server: 'https://one',
      credentials: { ...base, ...credentials },
      clock: { nowMs },
      log,
      environment: { PATH: '/usr/bin:/bin' },
    });

  it('say who acts for whom', async () => {
    const impersonation = { user: 'me', uid: '1', groups: ['a', 'b'], extra: new Map([['example.org/why', ['x']]]) };
    expect((await source({ impersonation, identity: { type: 'token', token: 't' } }).current()).headers).toEqual({
      authorization: 'Bearer t',
      'impersonate-user': 'me',
      'impersonate-uid': '1',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-example.org%2Fwhy': ['x'],
    });
  });

  it('are the same object as long as the certificates are the same', async () => {
    const one = source({
      trust: { insecure: false, authority: { pem: 'a' } },
      clientCertificate: { certificate: { pem: 'c' }, key: { pem: 'k' } },
    });
    const { tls } = await one.current();
    expect(tls).toEqual({ authority: 'a', certificate: 'c', key: 'k' });
    expect((await one.current()).tls).toBe(tls);
    expect(one.renew(await one.current())).toBe(false);
  });

  it('do not run a failing plugin for every caller', async () => {
    let nowMs = 0;
    const plugin = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/bin/false',
      args: [],
      env: [],
      provideClusterInfo: false,
    } as const;
    const failing = source({ identity: { type: 'exec', plugin } }, () => nowMs);
    const [first, second] = await Promise.allSettled([failing.current(), failing.current()]);
    const third = await failing.current().catch((error: unknown) => error);
    expect(first).toMatchObject({ reason: { message: 'the exec plugin /bin/false ended with exit code 1' } });
    expect((second as PromiseRejectedResult).reason).toBe((first as PromiseRejectedResult).reason);
    expect(third).toBe((first as PromiseRejectedResult).reason);
    nowMs = 2000;
    const fourth = await failing.current().catch((error: unknown) => error);
    expect(fourth).not.toBe(third);
    // The clock is set right, as after the start of a machine.
    nowMs = -3_600_000;
    expect(await failing.current().catch((error: unknown) => error)).not.toBe(fourth);
  });

  it('are read again from a file that is replaced after the clock was set back', async () => {
    let nowMs = 3_600_000;
    const folder = await mkdtemp(join(tmpdir(), 'fairway-credentials-'));
    const file = join(folder, 'token');
    try {
      await writeFile(file, 'first');
      const mounted = source({ identity: { type: 'token-file', file } }, () => nowMs);
      expect((await mounted.current()).headers).toEqual({ authorization: 'Bearer first' });
      nowMs = 0;
      await writeFile(file, 'the second');
      expect((await mounted.current()).headers).toEqual({ authorization: 'Bearer the second' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('name a file that cannot be read', async () => {
    await expect(source({ identity: { type: 'token-file', file: '/nowhere/token' } }).current()).rejects.toThrow(
      'the credentials file /nowhere/token cannot be read',
    );
  });
});
