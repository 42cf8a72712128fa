/** Clusters for tests: a home with settings, and others that are registered there as users register them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/index.ts';
import { createClusters, type Clusters, type ClustersOptions, type LiveRules } from '../../src/clusters/index.ts';
import { isJsonObject, type KubeObject } from '../../src/objects/index.ts';
import { openSettings, prepareHome, type Settings } from '../../src/settings/index.ts';
import { openEmbeddedHome, secret, type EmbeddedHome } from './embedded-home.ts';
import { kinds } from './kinds.ts';

export const TRACKING_ID = 'argocd.argoproj.io/tracking-id';

/** The application that an annotation names before its first colon, and a health that a test can see change. */
export const simpleRules: LiveRules = {
  instanceOf: ({ metadata }) => metadata.annotations?.[TRACKING_ID]?.split(':')[0],
  healthOf: ({ kind, ...object }) => {
    if (kind !== 'Pod' || !isJsonObject(object['status'])) return undefined;
    return { status: object['status']['phase'] === 'Running' ? 'Healthy' : 'Progressing' };
  },
  factsOf: () => undefined,
};

export interface LiveClusters {
  readonly home: EmbeddedHome;
  readonly settings: Settings;
  readonly clusters: Clusters;
  /** Writes the Secret of a cluster as it is written by hand. */
  register(name: string, data: Readonly<Record<string, string>>): Promise<KubeObject>;
  close(): Promise<void>;
}

export async function openLiveClusters(options: Partial<ClustersOptions> = {}): Promise<LiveClusters> {
  const home = await openEmbeddedHome();
  const { api, log } = home;
  await prepareHome({ api, namespace: 'argocd', clock: systemClock, log, hashPassword: async () => 'no password' });
  const settings = await openSettings({ api, namespace: 'argocd', clock: systemClock, log, coalesceMs: 5 });
  const clusters = createClusters({
    home: { api, kind: 'embedded' },
    settings,
    rules: () => simpleRules,
    allowCommands: false,
    userAgent: 'fairway-test',
    clock: systemClock,
    log,
    ...options,
    limits: { coalesceMs: 10, retryMs: 50, ...options.limits },
  });
  return {
    home,
    settings,
    clusters,
    async register(name, data) {
      const written = await api.create(kinds.secret, secret(name, data, { 'argocd.argoproj.io/secret-type': 'cluster' }));
      settings.noticeWrite(written);
      return written;
    },
    async close() {
      await clusters.stop();
      await settings.close();
      await home.close();
    },
  };
}

/** The `config` of a cluster's Secret for the administrator of a test cluster. */
export function adminConfig({ folder }: { readonly folder: string }): string {
  const file = (name: string): string => readFileSync(join(folder, 'pki', name)).toString('base64');
  return JSON.stringify({
    tlsClientConfig: { insecure: false, caData: file('ca.crt'), certData: file('admin.crt'), keyData: file('admin.key') },
  });
}
