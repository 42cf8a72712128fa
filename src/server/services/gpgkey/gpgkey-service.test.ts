import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedHome, type EmbeddedHome } from '../../../../test/support/embedded-home.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import type { Caller } from '../../../access/index.ts';
import { systemClock } from '../../../base/index.ts';
import type { GPGKeyService } from '../../../contract/index.ts';
import { openSettings, prepareHome, type Settings } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { armour } from './armour.ts';
import { createGpgkeyService } from './create-gpgkey-service.ts';

const call = createServiceCall('/gpgkey.GPGKeyService/List');

/** The parts of a key that are looked at: its body, and whom it stands for. */
function makeKey(owner: string, seed: number): Uint8Array {
  const body = [4, 0, 0, 0, seed, 1, 8, 0, ...Array.from({ length: 256 }, () => 0xff), 0, 17, 1, 0, 1];
  const name = [...Buffer.from(owner)];
  return Uint8Array.from([0x99, body.length >> 8, body.length & 0xff, ...body, 0xb4, name.length, ...name]);
}

describe('the service of keys', () => {
  let home: EmbeddedHome;
  let settings: Settings;
  let service: GPGKeyService<Call>;
  let denied: string;

  beforeEach(async () => {
    home = await openEmbeddedHome();
    const { api, log } = home;
    await prepareHome({ api, namespace: 'argocd', clock: systemClock, log, hashPassword: async () => 'no password' });
    settings = await openSettings({ api, namespace: 'argocd', clock: systemClock, log, coalesceMs: 5 });
    denied = '';
    const isAllowed = (_caller: Caller, ...deed: readonly string[]): boolean => deed.join(',') !== denied;
    service = createGpgkeyService({ home: api, namespace: 'argocd', settings, policy: { isAllowed } });
  });
  afterEach(async () => {
    await settings.close();
    await home.close();
  });

  const add = async (...keys: Uint8Array[]) =>
    await service.Create({ publickey: { keyID: '', keyData: keys.map((key) => armour(key)).join('\n') } }, call);

  it('adds each key once, keeps it apart from others, and gives it back', async () => {
    const [one, other] = [makeKey('Ada <a@example.com>', 1), makeKey('Bob <b@example.com>', 2)];
    const { created } = await add(one);
    const { keyID, fingerprint = '' } = created?.items[0] ?? { keyID: '' };
    expect(created?.items).toMatchObject([{ owner: 'Ada <a@example.com>', subType: 'rsa2048', trust: 'unknown' }]);
    const again = await add(one, other);
    expect(again.skipped).toEqual([keyID]);
    expect(again.created?.items).toMatchObject([{ owner: 'Bob <b@example.com>' }]);
    expect([...settings.current.gpgKeys.keys()]).toContain(keyID);
    const { items } = await service.List({}, call);
    expect(items).toHaveLength(2);
    expect(items.every((key) => key.keyData === undefined)).toBe(true);
    expect(await service.Get({ keyID: fingerprint.toLowerCase() }, call)).toMatchObject({ keyID, keyData: armour(one) });
    await service.Delete({ keyID }, call);
    expect((await service.List({}, call)).items).toHaveLength(1);
  });

  it('says what is wrong', async () => {
    const attempt = async (keyData: string) => await service.Create({ publickey: { keyID: '', keyData } }, call);
    await expect(attempt(' ')).rejects.toThrow('submitted key data is empty');
    await expect(attempt('x')).rejects.toThrow('this is no public key');
    await expect(attempt('x'.repeat(1_000_001))).rejects.toThrow('too long');
    const unknown = { keyID: '0123456789ABCDEF' };
    await expect((async () => await service.Get(unknown, call))()).rejects.toThrow('no such key: 0123456789ABCDEF');
    await expect((async () => await service.Delete(unknown, call))()).rejects.toThrow('no such key configured: 0123456789ABCDEF');
    await expect((async () => await service.Get({ keyID: '__proto__' }, call))()).rejects.toThrow(
      "'__proto__' is not a valid GnuPG key ID",
    );
  });

  it('answers only those who may', async () => {
    denied = 'gpgkeys,get,';
    await expect((async () => await service.List({}, call))()).rejects.toMatchObject({ code: 7 });
    await expect((async () => await service.Get({ keyID: '0123456789ABCDEF' }, call))()).rejects.toMatchObject({ code: 7 });
    denied = 'gpgkeys,create,';
    await expect(add(makeKey('x', 1))).rejects.toMatchObject({ code: 7 });
    denied = 'gpgkeys,delete,';
    await expect((async () => await service.Delete({ keyID: '0123456789ABCDEF' }, call))()).rejects.toMatchObject({ code: 7 });
  });
});
