import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createLogger, systemClock } from '../../src/base/index.ts';
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { createAccountStore, installDefinitions, openSettings, prepareHome, type Settings } from '../../src/settings/index.ts';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { kinds } from '../support/kinds.ts';
import { waitUntil } from '../support/wait-until.ts';

describeWithCluster('Settings on a real cluster', (cluster) => {
  const opened: Settings[] = [];
  const logged: string[] = [];
  const log = createLogger({ level: 'debug', format: 'text', write: (line) => void logged.push(line) });
  let api: HttpKubeApi;
  let namespace: string;

  beforeAll(async () => {
    api = await connectTo(cluster());
    await installDefinitions({ api, log });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((settings) => settings.close()));
  });
  afterAll(() => api.close());

  const prepare = () =>
    prepareHome({
      api,
      namespace,
      clock: systemClock,
      log,
      hashPassword: (password) => Promise.resolve(`$2a$10$${Buffer.from(password).toString('hex').padEnd(53, '.')}`),
    });
  async function open(): Promise<Settings> {
    const settings = await openSettings({ api, namespace, clock: systemClock, log });
    opened.push(settings);
    return settings;
  }

  it('are made once by replicas that start together, and then left alone', async () => {
    namespace = await testNamespace(cluster());
    const results = await Promise.all([prepare(), prepare(), prepare(), prepare()]);
    const told = results.flatMap(({ generatedPassword }) => (generatedPassword === undefined ? [] : [generatedPassword]));
    expect(told).toHaveLength(1);
    const { current, warnings } = await open();
    expect(warnings).toEqual([]);
    expect(current.accounts.get('admin')?.passwordHash?.reveal()).toContain(Buffer.from(told[0] ?? '').toString('hex'));
    const { metadata } = await api.list(kinds.secret, { namespace });
    expect((await prepare()).written).toEqual([]);
    expect(
      (await api.list(kinds.secret, { namespace })).items
        .map((item) => item.metadata.resourceVersion)
        .every((version) => Number(version) <= Number(metadata.resourceVersion)),
    ).toBe(true);
    expect(logged.join('')).not.toContain(told[0]);
  });

  it('follow the cluster, and lose no token of writers on several replicas', async () => {
    namespace = await testNamespace(cluster());
    await prepare();
    const replicas = [await open(), await open()];
    await api.patch(
      kinds.configMap,
      { namespace, name: 'argocd-cm' },
      { type: 'merge', body: { data: { url: 'https://cd.example.com', 'accounts.ci': 'apiKey' } } },
    );
    for (const settings of replicas)
      await waitUntil(() => settings.current.general.url === 'https://cd.example.com' && settings.current.accounts.has('ci'));
    const ids = Array.from({ length: 16 }, (_, index) => `token-${index}`);
    await Promise.all(
      ids.map((id, index) =>
        replicas[index % 2]!.updateAccount('ci', (account) => ({
          ...account,
          tokens: [...account.tokens, { id, issuedAt: 1, expiresAt: undefined }],
        })),
      ),
    );
    for (const settings of replicas) {
      await waitUntil(() => settings.current.accounts.get('ci')?.tokens.length === ids.length);
      expect(
        settings.current.accounts
          .get('ci')
          ?.tokens.map(({ id }) => id)
          .sort(),
      ).toEqual(ids.toSorted());
    }
  });

  it('tell every replica of ended sessions', async () => {
    namespace = await testNamespace(cluster());
    await prepare();
    const [one, other] = [createAccountStore(await open()), createAccountStore(await open())];
    await one.revoke('session', Date.now() / 1000 + 600);
    expect(one.isRevoked('session')).toBe(true);
    await waitUntil(() => other.isRevoked('session'));
    expect(Buffer.from(one.signingKey).equals(Buffer.from(other.signingKey))).toBe(true);
  });
});
