import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/index.ts';
import { openEmbeddedApi } from '../../../src/embedded/index.ts';
import type { EmbeddedApi } from '../../../src/embedded/index.ts';
import type { HttpKubeApi, KubeApi } from '../../../src/kube/index.ts';
import { connectTo, describeWithCluster, quietLog } from '../../support/cluster/shared-cluster.ts';
import { connectToFairway } from '../../support/connect-to-fairway.ts';
import { startFairway } from '../../support/fairway.ts';
import type { Fairway } from '../../support/fairway.ts';
import { kinds } from '../../support/kinds.ts';
import { customScenarios } from './custom-scenarios.ts';
import { objectScenarios } from './object-scenarios.ts';
import { reviewScenarios } from './review-scenarios.ts';
import { createSession } from './session.ts';
import { validationScenarios } from './validation-scenarios.ts';
import type { Transcript } from './session.ts';

const TIMEOUT_MS = 60_000;

describeWithCluster('the embedded API answers as the reference API server does', (cluster) => {
  const folder = mkdtempSync(join(tmpdir(), 'fairway-parity-'));
  let real: HttpKubeApi;
  let embedded: EmbeddedApi;
  let fairway: Fairway;
  let remote: HttpKubeApi;
  let runs = 0;

  beforeAll(async () => {
    real = await connectTo(cluster());
    embedded = await openEmbeddedApi({ file: join(folder, 'home.db'), clock: systemClock, log: quietLog });
    fairway = await startFairway();
    remote = await connectToFairway(fairway);
  });
  afterAll(async () => {
    await Promise.all([real?.close(), remote?.close(), embedded?.close(), fairway?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([...objectScenarios, ...customScenarios, ...reviewScenarios, ...validationScenarios])(
    '%s',
    async (_title, run) => {
      const attempt = async (api: KubeApi): Promise<Transcript> => {
        runs += 1;
        const unique = `parity-${process.pid}-${runs}`;
        const { metadata } = await api.create(kinds.namespace, {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: `${unique}-home` },
        });
        const session = createSession(api, metadata.name ?? '', unique);
        await run(session);
        return session.transcript;
      };
      const expected = await attempt(real);
      expect(await attempt(embedded)).toEqual(expected);
      expect(await attempt(remote)).toEqual(expected);
    },
    TIMEOUT_MS,
  );
});
