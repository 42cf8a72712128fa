import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { startControlPlane, type ControlPlane } from '../support/cluster/control-plane.ts';
import { connectTo } from '../support/cluster/shared-cluster.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { follow, type Follower } from '../support/follow.ts';
import { kinds } from '../support/kinds.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { BUILD_LIMIT_MS } from '../support/tools/ensure-tool.ts';
import { waitUntil } from '../support/wait-until.ts';

const namespace = 'default';

describeWithTool('kube-apiserver', 'A cache whose API server is killed and started again', () => {
  let cluster: ControlPlane;
  let api: HttpKubeApi;
  let followers: Follower[] = [];

  beforeAll(async () => {
    cluster = await startControlPlane();
    api = await connectTo(cluster);
  }, 2 * BUILD_LIMIT_MS);
  afterAll(async () => {
    await Promise.all(followers.map((follower) => follower.stop()));
    await api.close();
    await cluster.stop();
  }, 60_000);

  async function create(name: string): Promise<void> {
    await api.create(kinds.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } });
  }

  it('comes to the truth again, at a measured pace, and says in between what is wrong', async () => {
    for (let index = 0; index < 15; index += 1) await create(`before-${index}`);
    followers = [kinds.configMap, kinds.secret, kinds.serviceAccount].map((type) => follow({ api, type, namespace }));
    await Promise.all(followers.map(({ reflector }) => reflector.whenSynced()));
    await cluster.killApiServer();
    const killedMs = Date.now();
    await waitUntil(() => followers.every(({ reflector }) => reflector.counts.failures >= 4));
    for (const { reflector } of followers) {
      expect(reflector.trouble?.reason).toBe('unreachable');
      expect(reflector.counts.failures).toBeLessThan(8 + (Date.now() - killedMs) / 200);
      expect(reflector.synced).toBe(true);
    }
    await cluster.startApiServer();
    await create('after');
    await api.delete(kinds.configMap, { namespace, name: 'before-0' });
    for (const { converges } of followers) await converges(api);
    await waitUntil(() => followers.every(({ reflector }) => reflector.trouble === undefined));
  }, 90_000);

  it('lists again when the API server that it comes back to no longer knows its version', async () => {
    const proxy = await startFaultProxy(cluster);
    const proxied = await connectTo(cluster, { server: proxy.url });
    const follower = follow({ api: proxied, type: kinds.configMap, namespace });
    followers.push(follower);
    await follower.reflector.whenSynced();
    await waitUntil(() => proxy.watchesBegun === 1);
    await proxy.refuse();
    await create('unseen');
    await api.delete(kinds.configMap, { namespace, name: 'unseen' });
    await api.delete(kinds.configMap, { namespace, name: 'before-1' });
    await cluster.killApiServer();
    await cluster.startApiServer();
    await proxy.accept();
    await follower.converges(api);
    expect(follower.reflector.counts.lists).toBe(2);
    await follower.stop();
    await proxied.close();
    await proxy.close();
  }, 90_000);
});
