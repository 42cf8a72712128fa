import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedHome, secret, type EmbeddedHome } from '../../../../test/support/embedded-home.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import type { Caller } from '../../../access/index.ts';
import { systemClock } from '../../../base/index.ts';
import type { RepoCredsService } from '../../../contract/index.ts';
import { openSettings, prepareHome, type Settings } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { createRepocredsService } from './create-repocreds-service.ts';

const call = createServiceCall('/repocreds.RepoCredsService/ListRepositoryCredentials');
const url = 'https://git.example.com/acme';

describe('credential templates', () => {
  let home: EmbeddedHome;
  let settings: Settings;
  let service: RepoCredsService<Call>;
  let denied: (deed: string) => boolean;

  beforeEach(async () => {
    home = await openEmbeddedHome();
    const { api, log } = home;
    await prepareHome({ api, namespace: 'argocd', clock: systemClock, log, hashPassword: async () => 'no password' });
    settings = await openSettings({ api, namespace: 'argocd', clock: systemClock, log, coalesceMs: 5 });
    denied = () => false;
    const isAllowed = (_caller: Caller, ...deed: readonly string[]): boolean => !denied(deed.join(','));
    service = createRepocredsService({ home: api, namespace: 'argocd', settings, policy: { isAllowed } });
  });
  afterEach(async () => {
    await settings.close();
    await home.close();
  });

  const list = async (wanted?: string) =>
    (await service.ListRepositoryCredentials(wanted === undefined ? {} : { url: wanted }, call)).items;
  const stored = (name: string): Record<string, string> =>
    Object.fromEntries([...(settings.current.labelledSecrets.get(name)?.data ?? [])].map(([key, value]) => [key, value.reveal()]));

  it('are kept under the names and keys of the format, and only written', async () => {
    const creds = { url, username: 'robot', password: 'planted', azureServicePrincipalClientId: 'client', githubAppID: 7, enableOCI: true };
    expect(await service.CreateRepositoryCredentials({ creds }, call)).toEqual({ url });
    expect(stored('creds-2462561872')).toEqual({
      url,
      username: 'robot',
      password: 'planted',
      azureServicePrincipalClientID: 'client',
      githubAppID: '7',
      enableOCI: 'true',
    });
    expect(await list()).toEqual([{ url, username: 'robot' }]);
    expect(await list(`${url}.git`)).toHaveLength(1);
    expect(await list('https://git.example.com')).toEqual([]);
  });

  it('are replaced only when told to, updated, and removed where exactly they are meant', async () => {
    await service.CreateRepositoryCredentials({ creds: { url, password: 'a' } }, call);
    await service.CreateRepositoryCredentials({ creds: { url, password: 'a' } }, call);
    const other = { creds: { url, password: 'b', username: 'u' } };
    await expect(service.CreateRepositoryCredentials(other, call)).rejects.toMatchObject({
      code: 3,
      message: 'existing repository credentials spec is different; use upsert flag to force update; difference in keys "Username,Password"',
    });
    await service.CreateRepositoryCredentials({ ...other, upsert: true }, call);
    expect(await service.UpdateRepositoryCredentials({ creds: { url, username: 'v' } }, call)).toEqual({ url });
    expect(stored('creds-2462561872')).toEqual({ url, username: 'v', password: '' });
    await expect(service.DeleteRepositoryCredentials({ url: `${url}/deeper` }, call)).rejects.toMatchObject({ code: 5 });
    await expect(service.UpdateRepositoryCredentials({ creds: { url: `${url}/deeper` } }, call)).rejects.toMatchObject({ code: 5 });
    expect(await service.DeleteRepositoryCredentials({ url }, call)).toEqual({});
    expect(await list()).toEqual([]);
    await expect(service.CreateRepositoryCredentials({ creds: { url: '' } }, call)).rejects.toThrow('must specify URL');
    await expect(service.CreateRepositoryCredentials({}, call)).rejects.toThrow('missing payload in request');
  });

  it('are guarded as repositories, those for writing apart from those for reading', async () => {
    const made = await home.api.create(kinds.secret, secret('hand', { url }, { 'argocd.argoproj.io/secret-type': 'repo-creds' }));
    settings.noticeWrite(made);
    const deeds: [string, () => unknown][] = [
      [`repositories,create,${url}`, () => service.CreateRepositoryCredentials({ creds: { url } }, call)],
      [`repositories,update,${url}`, () => service.UpdateRepositoryCredentials({ creds: { url } }, call)],
      [`repositories,delete,${url}`, () => service.DeleteRepositoryCredentials({ url }, call)],
      [`write-repositories,create,${url}`, () => service.CreateWriteRepositoryCredentials({ creds: { url } }, call)],
    ];
    for (const [wanted, attempt] of deeds) {
      denied = (deed) => deed === wanted;
      await expect((async () => attempt())()).rejects.toMatchObject({ code: 7 });
    }
    denied = (deed) => deed === `repositories,get,${url}`;
    expect(await list()).toEqual([]);
    denied = () => false;
    await service.CreateWriteRepositoryCredentials({ creds: { url, username: 'w' } }, call);
    expect(await list()).toEqual([{ url }]);
    expect(await service.ListWriteRepositoryCredentials({}, call)).toEqual({ items: [{ url, username: 'w' }] });
  });

  it('RBAC-15: are changed and removed only by those who may do that to them as they are written', async () => {
    await service.CreateRepositoryCredentials({ creds: { url, username: 'robot', password: 'planted' } }, call);
    denied = (deed) => deed.endsWith(`,${url}`);
    for (const other of [`${url}.git`, 'https://git.example.com/ACME']) {
      const change = service.UpdateRepositoryCredentials({ creds: { url: other, username: 'mine' }, updatedFields: ['username'] }, call);
      await expect(change).rejects.toMatchObject({ code: 7 });
      await expect(service.DeleteRepositoryCredentials({ url: other }, call)).rejects.toMatchObject({ code: 7 });
      for (const password of ['guessed', 'planted']) {
        const guess = service.CreateRepositoryCredentials({ creds: { url: other, username: 'robot', password } }, call);
        await expect(guess).rejects.toMatchObject({ code: 7 });
      }
    }
    expect(stored('creds-2462561872')).toEqual({ url, username: 'robot', password: 'planted' });
  });
});
