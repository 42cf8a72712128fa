import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedHome, type EmbeddedHome } from '../../../../test/support/embedded-home.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import type { Caller } from '../../../access/index.ts';
import { systemClock } from '../../../base/index.ts';
import type { CertificateService, RepositoryCertificate } from '../../../contract/index.ts';
import { openSettings, prepareHome, type Settings } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { createCertificateService } from './create-certificate-service.ts';

const call = createServiceCall('/certificate.CertificateService/ListCertificates');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** The shape of a key, which is all that is looked at. */
const keyOf = (type: string, more: string): string =>
  Buffer.concat([Buffer.from([0, 0, 0, type.length]), Buffer.from(`${type}${more}`)]).toString('base64');
const sshKey = (serverName: string, more = 'a', certSubType = 'ssh-ed25519'): RepositoryCertificate => ({
  serverName,
  certType: 'ssh',
  certSubType,
  certData: base64(keyOf(certSubType, more)),
  certInfo: '',
});

describe('the certificate service', () => {
  let home: EmbeddedHome;
  let settings: Settings;
  let service: CertificateService<Call>;
  let denied: string;

  beforeEach(async () => {
    home = await openEmbeddedHome();
    const { api, log } = home;
    await prepareHome({ api, namespace: 'argocd', clock: systemClock, log, hashPassword: async () => 'no password' });
    settings = await openSettings({ api, namespace: 'argocd', clock: systemClock, log, coalesceMs: 5 });
    denied = '';
    const isAllowed = (_caller: Caller, resource: string, action: string, object: string): boolean =>
      `${resource},${action},${object}` !== denied;
    service = createCertificateService({ home: api, namespace: 'argocd', settings, policy: { isAllowed } });
    await setHosts('');
  });
  afterEach(async () => {
    await settings.close();
    await home.close();
  });

  async function setHosts(text: string): Promise<void> {
    const place = { namespace: 'argocd', name: 'argocd-ssh-known-hosts-cm' };
    const body = { data: { ssh_known_hosts: text } };
    settings.noticeWrite(await home.api.patch(kinds.configMap, place, { type: 'merge', body }));
  }
  const add = (items: RepositoryCertificate[], upsert = false) =>
    (async () => await service.CreateCertificate({ certificates: { items }, upsert }, call))();
  const hosts = async (query = {}): Promise<string[]> =>
    (await service.ListCertificates(query, call)).items.map(({ serverName, certSubType }) => `${serverName} ${certSubType}`);

  it('adds keys of hosts, and leaves the rest of the file as it is', async () => {
    await setHosts('# ours\n\n@revoked * ssh-rsa AAAA\nold.example ssh-rsa AAAA\n');
    const { items } = await add([sshKey('one.example'), sshKey('[two.example]:2222')]);
    expect(items.map(({ serverName }) => serverName)).toEqual(['one.example', '[two.example]:2222']);
    expect(items[0]?.certInfo).toMatch(/^[A-Za-z0-9+/]{43}$/);
    const key = keyOf('ssh-ed25519', 'a');
    expect(settings.current.sshKnownHosts).toBe(
      `# ours\n\n@revoked * ssh-rsa AAAA\nold.example ssh-rsa AAAA\none.example ssh-ed25519 ${key}\n[two.example]:2222 ssh-ed25519 ${key}\n`,
    );
    const { items: listed } = await service.ListCertificates({ hostNamePattern: 'one.*' }, call);
    expect(listed).toEqual([
      { serverName: 'one.example', certType: 'ssh', certSubType: 'ssh-ed25519', certData: '', certInfo: `SHA256:${items[0]?.certInfo}` },
    ]);
  });

  it('answers only with what it changed, and changes nothing unless told to', async () => {
    await add([sshKey('one.example')]);
    expect(await add([sshKey('one.example')])).toEqual({ items: [] });
    await expect(add([sshKey('two.example'), sshKey('one.example', 'b')])).rejects.toThrow(
      "key for 'one.example' (subtype: 'ssh-ed25519') already exists, and upsert was not specified",
    );
    expect(await hosts()).toEqual(['one.example ssh-ed25519']);
    expect((await add([sshKey('one.example', 'b')], true)).items).toHaveLength(1);
    expect(settings.current.sshKnownHosts).toBe(`one.example ssh-ed25519 ${keyOf('ssh-ed25519', 'b')}\n`);
  });

  it('selects by host, type and type of key', async () => {
    await add([sshKey('a.example'), sshKey('[a.example]:22', 'x'), sshKey('a.example', 'x', 'ssh-rsa')]);
    expect(await hosts({ hostNamePattern: '[a.example]:*' })).toEqual(['[a.example]:22 ssh-ed25519']);
    expect(await hosts({ certType: 'tls' })).toEqual([]);
    expect(await hosts({ certType: '*', certSubType: 'ssh-rsa' })).toEqual(['a.example ssh-rsa']);
    const removed = await service.DeleteCertificate({ hostNamePattern: 'a.example', certType: 'ssh', certSubType: 'ssh-rsa' }, call);
    expect(removed.items).toMatchObject([{ serverName: 'a.example', certData: base64(keyOf('ssh-rsa', 'x')) }]);
    expect(await hosts()).toEqual(['a.example ssh-ed25519', '[a.example]:22 ssh-ed25519']);
  });

  it.each([
    ['a line break in the name', { ...sshKey('a\nevil.example') }, 'invalid hostname in request'],
    ['a space in the name', { ...sshKey('a b') }, 'invalid hostname in request'],
    ['a line break in the type', { ...sshKey('a'), certSubType: 'ssh-rsa\nevil' }, 'is no key of the type'],
    ['a line break in the key', { ...sshKey('a'), certData: base64('AAAA\nevil ssh-rsa AAAA') }, 'is no key of the type'],
    ['a key of another type', { ...sshKey('a'), certSubType: 'ssh-rsa' }, 'is no key of the type'],
    ['an unknown type', { ...sshKey('a'), certType: 'x' }, 'unknown certificate type: x'],
    ['no certificate', { ...sshKey('a'), certType: 'https' }, 'no valid PEM data received'],
    [
      'a broken certificate',
      { ...sshKey('a'), certType: 'https', certData: base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----') },
      'could not parse X509 data from input',
    ],
  ])('refuses %s', async (_what, certificate, text) => {
    await expect(add([certificate], true)).rejects.toThrow(text);
    expect(settings.current.sshKnownHosts).toBe('');
    expect(settings.current.tlsCertificates.size).toBe(0);
  });

  it('answers only those who may', async () => {
    denied = 'certificates,get,';
    await expect((async () => await service.ListCertificates({}, call))()).rejects.toMatchObject({ code: 7 });
    denied = 'certificates,create,';
    await expect(add([sshKey('a')], true)).rejects.toMatchObject({ code: 7 });
    denied = 'certificates,delete,';
    await expect((async () => await service.DeleteCertificate({}, call))()).rejects.toMatchObject({ code: 7 });
  });
});
