import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../test/support/kinds.ts';
import { openLiveClusters, type LiveClusters } from '../../../test/support/live-clusters.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { statusError } from '../../objects/index.ts';
import { Sealed, type LabelledSecret } from '../../settings/index.ts';
import { createClusterLabels, hasOnlyNewVersion, type ClusterLabels } from './cluster-labels.ts';

const server = 'https://kubernetes.default.svc';
const ref = { namespace: 'argocd', name: 'cluster-home' };
const askingLabel = 'argocd.argoproj.io/auto-label-cluster-info';
const versionLabel = 'argocd.argoproj.io/kubernetes-version';

let live: LiveClusters;
let timers: ManualTimers;
let labels: ClusterLabels;

const labelsOf = async (): Promise<Readonly<Record<string, string>>> => (await live.home.api.get(kinds.secret, ref)).metadata.labels ?? {};

async function ask(value: string | null): Promise<void> {
  const body = { metadata: { labels: { [askingLabel]: value } } };
  live.settings.noticeWrite(await live.home.api.patch(kinds.secret, ref, { type: 'merge', body }));
}

/** Some looks later. */
async function pass(): Promise<void> {
  for (let look = 0; look < 3; look += 1) await timers.advance(10_000);
}

describe('The version of a cluster', () => {
  beforeEach(async () => {
    live = await openLiveClusters();
    timers = new ManualTimers();
    await live.register(ref.name, { server, name: 'home', config: '{}' });
    const { home, clusters, settings } = live;
    labels = createClusterLabels({ home: home.api, namespace: 'argocd', clusters, settings, timers, log: home.log });
    labels.start();
  });

  afterEach(async () => {
    await labels.stop();
    await live.close();
  });

  it('is written to the Secret that asks for it, once it is known, and once', async () => {
    await ask('true');
    await pass();
    expect(await labelsOf()).not.toHaveProperty([versionLabel]);
    const { cache } = live.clusters.resolve({ server });
    await cache.whenSynced();
    await waitUntil(async () => {
      await pass();
      return (await labelsOf())[versionLabel] === cache.serverVersion;
    });
    expect(cache.serverVersion).toMatch(/^v\d+\.\d+\.\d+$/);
    const before = live.home.writes.length;
    await pass();
    expect(live.home.writes).toHaveLength(before);
  });

  it('is written to no other, and tried again where that fails', async () => {
    await live.clusters.resolve({ server }).cache.whenSynced();
    await ask('false');
    await pass();
    expect(await labelsOf()).not.toHaveProperty([versionLabel]);
    await ask('true');
    live.home.disturb = (call) => {
      if (call !== 'patch Secret cluster-home') return;
      live.home.disturb = () => undefined;
      throw statusError('Invalid', 'a text with a canary-value');
    };
    await waitUntil(async () => {
      await pass();
      return (await labelsOf())[versionLabel] !== undefined;
    });
    const told = live.home.logged.filter((line) => line.includes('could not be written to its Secret'));
    expect(told).toHaveLength(1);
    expect(told.join()).not.toContain('canary-value');
  });

  it('is tried less and less often where that is refused, and it is told once for each reason', async () => {
    await live.clusters.resolve({ server }).cache.whenSynced();
    await ask('true');
    let [tries, refusal] = [0, statusError('Forbidden', 'secrets is forbidden')];
    live.home.disturb = (call) => {
      if (call !== 'patch Secret cluster-home') return;
      tries += 1;
      throw refusal;
    };
    const hour = async (): Promise<void> => {
      for (let look = 0; look < 360; look += 1) await timers.advance(10_000);
    };
    await hour();
    // After 10, 20, 40, … seconds, and then every ten minutes.
    expect(tries).toBeGreaterThan(8);
    expect(tries).toBeLessThan(13);
    const told = (): readonly string[] => live.home.logged.filter((line) => line.includes('could not be written to its Secret'));
    expect(told()).toHaveLength(1);
    tries = 0;
    refusal = statusError('ServiceUnavailable', 'the server is ill');
    await hour();
    expect(tries).toBeLessThan(8);
    expect(told()).toHaveLength(2);
  });
});

describe('The Secret of a cluster', () => {
  const secret = (changes: Partial<LabelledSecret> = {}): LabelledSecret => ({
    name: 'cluster-home',
    type: 'cluster',
    uid: '1',
    resourceVersion: '1',
    labels: { env: 'prod' },
    annotations: {},
    data: new Map([['server', new Sealed(server)]]),
    ...changes,
  });

  it('is the same to applications where only the version that we write is new', () => {
    const labelled = secret({ resourceVersion: '2', labels: { env: 'prod', [versionLabel]: 'v1.36.0' } });
    expect(hasOnlyNewVersion(secret(), labelled)).toBe(true);
    expect(hasOnlyNewVersion(labelled, secret())).toBe(true);
  });

  it.each([
    ['came', undefined, secret()],
    ['went', secret(), undefined],
    ['has another label', secret(), secret({ labels: { env: 'dev' } })],
    ['has another annotation', secret(), secret({ annotations: { note: 'x' } })],
    ['has other contents', secret(), secret({ data: new Map([['server', new Sealed('https://other')]]) })],
    ['has more contents', secret(), secret({ data: new Map([...secret().data, ['project', new Sealed('shop')]]) })],
    ['is another', secret(), secret({ uid: '2' })],
    ['is of a repository', secret({ type: 'repository' }), secret({ type: 'repository' })],
  ])('is not where it %s', (_what, before, now) => expect(hasOnlyNewVersion(before, now)).toBe(false));
});
