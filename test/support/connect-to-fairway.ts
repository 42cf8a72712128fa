import { systemClock } from '../../src/base/index.ts';
import { createHttpKubeApi } from '../../src/kube/index.ts';
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { quietLog } from './cluster/shared-cluster.ts';
import type { Fairway } from './fairway.ts';

/** A client of the Kubernetes API that the program serves below `/k8s`, as the administrator; whoever asks closes it. */
export async function connectToFairway({ url, adminPassword }: Pick<Fairway, 'url' | 'adminPassword'>): Promise<HttpKubeApi> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  const { token } = (await answer.json()) as { token: string };
  return createHttpKubeApi({
    server: `${url}/k8s`,
    credentials: { identity: { type: 'token', token }, trust: { insecure: false }, disableCompression: false },
    clock: systemClock,
    log: quietLog,
    userAgent: 'fairway-test',
  });
}
