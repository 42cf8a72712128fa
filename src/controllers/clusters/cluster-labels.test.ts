import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../test/support/kinds.ts';
import { openLiveClusters, type LiveClusters } from '../../../test/support/live-clusters.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { statusError } from '../../objects/index.ts';
import { createClusterLabels, type ClusterLabels } from './cluster-labels.ts';

const server = 'https://kubernetes.default.svc';
const ref = { namespace: 'argocd', name: 'cluster-home' };
const askingLabel = 'argocd.argoproj.io/auto-label-cluster-info';
const versionLabel = 'argocd.argoproj.io/kubernetes-version';

let live: LiveClusters;
let timers: ManualTimers;
let labels: ClusterLabels;

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
});
