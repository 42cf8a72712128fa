import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createLeaderElection,
  createMembership,
  type HttpKubeApi,
  type KubeApi,
  type LeaderElection,
  type Membership,
} from '../../src/kube/index.ts';
import { connectTo, describeWithCluster, quietLog, testNamespace } from '../support/cluster/shared-cluster.ts';
import { startTestApi, type TestApi } from '../support/embedded.ts';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';

const timing = { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryMs: 200 };
const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true };
const keys = Array.from({ length: 40 }, (_, index) => `application-${index}`);
const log = { ...quietLog, warn: () => undefined };

interface Reign {
  readonly identity: string;
  readonly fromMs: number;
  toMs: number;
}

const elections: LeaderElection[] = [];
const memberships: Membership[] = [];

afterEach(async () => {
  await Promise.all([...elections.splice(0), ...memberships.splice(0)].map((each) => each.stop()));
});

function stand(api: KubeApi, namespace: string, name: string, identity: string, reigns: Reign[], leaseTiming = timing): LeaderElection {
  const election = createLeaderElection({
    api,
    namespace,
    name,
    identity,
    timing: leaseTiming,
    log,
    async lead(signal) {
      const reign = { identity, fromMs: Date.now(), toMs: Infinity };
      reigns.push(reign);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reign.toMs = Date.now();
    },
  });
  elections.push(election);
  election.start();
  return election;
}

function join(api: KubeApi, namespace: string, group: string, identity: string): Membership {
  const membership = createMembership({ api, namespace, group, identity, timing, log });
  memberships.push(membership);
  membership.start();
  return membership;
}

function expectOneAtATime(reigns: readonly Reign[]): void {
  const sorted = reigns.toSorted((one, other) => one.fromMs - other.fromMs);
  sorted.forEach((reign, index) => expect(sorted[index + 1]?.fromMs ?? Infinity).toBeGreaterThanOrEqual(reign.toMs));
}

const ownersOf = (members: readonly Membership[], key: string): number => members.filter((member) => member.owns(key)).length;
const allOwned = (members: readonly Membership[]): boolean =>
  members.every(({ view }) => view.active && view.members.length === members.length) && keys.every((key) => ownersOf(members, key) === 1);

/** What holds on every API that keeps Leases. */
function describeLeases(home: () => { readonly api: KubeApi; readonly namespace: string }): void {
  it('has one leader of three, and another at once when it stops', async () => {
    const { api, namespace } = home();
    const reigns: Reign[] = [];
    // Long enough to tell a slow machine from a lease that ran out.
    const long = { ...timing, leaseDurationMs: 25_000, renewDeadlineMs: 20_000 };
    const all = ['one', 'two', 'three'].map((identity) => stand(api, namespace, 'handed-over', identity, reigns, long));
    await waitUntil(() => reigns.length === 1);
    const first = all.find(({ state }) => state.name === 'leading');
    await first?.stop();
    const stoppedMs = Date.now();
    await waitUntil(() => reigns.length === 2);
    expect(Date.now() - stoppedMs).toBeLessThan(long.renewDeadlineMs / 2);
    expectOneAtATime(reigns);
    const lease = await api.get(leases, { namespace, name: 'handed-over' });
    expect(lease['spec']).toMatchObject({ holderIdentity: reigns[1]?.identity, leaseTransitions: 1, leaseDurationSeconds: 25 });
  });

  it('divides keys among three members, and again when one leaves', async () => {
    const { api, namespace } = home();
    const [one, two, three] = [
      join(api, namespace, 'shards', 'one'),
      join(api, namespace, 'shards', 'two'),
      join(api, namespace, 'shards', 'three'),
    ];
    await waitUntil(() => {
      for (const key of keys) expect(ownersOf([one, two, three], key)).toBeLessThanOrEqual(1);
      return allOwned([one, two, three]);
    });
    for (const member of [one, two, three]) expect(keys.some((key) => member.owns(key))).toBe(true);
    await two.stop();
    await waitUntil(() => allOwned([one, three]));
    expect(one.view.members).toEqual(['one', 'three']);
  });
}

describe('Leases on the embedded API', () => {
  let home: TestApi;
  beforeAll(async () => {
    home = await startTestApi();
  });
  afterAll(() => home.stop());

  describeLeases(() => ({ api: home.api, namespace: 'default' }));
});

describeWithCluster('Leases on a real cluster', (cluster) => {
  let api: HttpKubeApi;
  let proxied: HttpKubeApi;
  let proxy: FaultProxy;
  let namespace: string;
  let child: ChildProcess | undefined;
  beforeAll(async () => {
    api = await connectTo(cluster());
    proxy = await startFaultProxy(cluster());
    proxied = await connectTo(cluster(), { server: proxy.url });
    namespace = await testNamespace(cluster());
  });
  afterAll(async () => {
    child?.kill('SIGKILL');
    await Promise.all([api.close(), proxied.close()]);
    await proxy.close();
  });

  describeLeases(() => ({ api, namespace }));

  it.each<['refused' | 'silent']>([['refused'], ['silent']])(
    'ends the reign of a leader that is cut off (%s) before another wins',
    async (how) => {
      const reigns: Reign[] = [];
      const name = `cut-off-${how}`;
      stand(proxied, namespace, name, 'cut-off', reigns);
      await waitUntil(() => reigns.length === 1);
      stand(api, namespace, name, 'other', reigns);
      const silence = how === 'silent' ? proxy.inject({ kind: 'silence' }) : undefined;
      if (how === 'refused') await proxy.refuse();
      await waitUntil(() => reigns.some(({ identity }) => identity === 'other'));
      expectOneAtATime(reigns);
      silence?.lift();
      if (how === 'refused') await proxy.accept();
    },
  );

  it('takes the keys of a member that is cut off, which has let go of them before', async () => {
    const [one, cutOff] = [join(api, namespace, 'cut', 'one'), join(proxied, namespace, 'cut', 'cut-off')];
    await waitUntil(() => allOwned([one, cutOff]));
    await proxy.refuse();
    await waitUntil(() => {
      for (const key of keys) expect(ownersOf([one, cutOff], key)).toBeLessThanOrEqual(1);
      return keys.every((key) => one.owns(key));
    });
    await proxy.accept();
    await waitUntil(() => {
      for (const key of keys) expect(ownersOf([one, cutOff], key)).toBeLessThanOrEqual(1);
      return allOwned([one, cutOff]) && keys.some((key) => cutOff.owns(key));
    });
  });

  it('is not led by a process that stood still and moves again', async () => {
    const program = fileURLToPath(new URL('../support/lease-candidate.ts', import.meta.url));
    const frozen = fork(program, [cluster().kubeconfig(), namespace, 'frozen', 'frozen', JSON.stringify(timing)], { execArgv: [] });
    child = frozen;
    const ticks: number[] = [];
    frozen.on('message', (message: { leadsAtMs: number }) => ticks.push(message.leadsAtMs));
    await waitUntil(() => ticks.length > 0);
    frozen.kill('SIGSTOP');
    const reigns: Reign[] = [];
    const other = stand(api, namespace, 'frozen', 'other', reigns);
    await waitUntil(() => reigns.length === 1);
    frozen.kill('SIGCONT');
    // It has moved when it has read the message and ended.
    frozen.send('end');
    await once(frozen, 'exit');
    expect(Math.max(...ticks)).toBeLessThan(reigns[0]?.fromMs ?? 0);
    expect(other.state.name).toBe('leading');
  });
});
