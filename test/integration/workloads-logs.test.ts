import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogOptions } from '../../src/kube/index.ts';
import { startWorkloadTest, workload } from '../support/workloads.ts';
import type { WorkloadTest } from '../support/workloads.ts';

let cluster: WorkloadTest;
let pod: string;
beforeEach(async () => {
  cluster = await startWorkloadTest();
  await cluster.create('Deployment', workload('web'));
  await cluster.settle();
  const { metadata } = await cluster.only('Pod');
  pod = metadata.name;
});
afterEach(() => cluster.stop());

const read = async (options?: LogOptions): Promise<string[]> => (await cluster.logs(pod, options)).split('\n').slice(0, -1);

describe('simulated logs', () => {
  it('say first what they are, grow by a line each second, and are the same whenever they are read', async () => {
    expect(await read()).toEqual([`[simulation] no container runs here: Fairway makes up the log of main (example/web:1) in pod ${pod}`]);
    await cluster.advance(10_000);
    const lines = await read();
    expect(lines).toHaveLength(11);
    expect(await read()).toEqual(lines);
    expect(new Set(lines).size).toBe(11);
    expect(await read({ tailLines: 3 })).toEqual(lines.slice(-3));
    expect(await read({ tailLines: 0 })).toEqual([]);
    expect(await read({ sinceSeconds: 4 })).toEqual(lines.slice(-5));
    expect(await read({ sinceTime: '2026-01-02T03:04:13Z' })).toEqual(lines.slice(-3));
    expect(await read({ timestamps: true, tailLines: 1 })).toEqual([`2026-01-02T03:04:15.000000000Z ${lines.at(-1)}`]);
    expect(await cluster.logs(pod, { limitBytes: 20 })).toBe(lines[0]?.slice(0, 20));
  });

  it('keep no more of a long run than they have room for', async () => {
    await cluster.advance(86_400_000);
    const lines = await read();
    expect(lines).toHaveLength(1_001);
    expect(lines[0]).toMatch(/^\[simulation\]/);
    expect(lines.at(-1)).toMatch(/line=86400$/);
  });

  it('go on while they are followed, until the pod ends', async () => {
    const followed = read({ follow: true, tailLines: 1 });
    await cluster.advance(3_000);
    await cluster.remove('Deployment', 'web');
    await cluster.advance(2_000);
    const lines = await followed;
    expect(lines[0]).toMatch(/^\[simulation\]/);
    expect(lines.slice(1, 4).map((line) => /line=(\d+)/.exec(line)?.[1])).toEqual(['1', '2', '3']);
  });

  it('stop when their reader does', async () => {
    const stopping = new AbortController();
    const followed = read({ follow: true, signal: stopping.signal });
    await cluster.advance(1_000);
    stopping.abort();
    expect((await followed).length).toBeGreaterThan(0);
  });

  it('refuse what makes no sense with the words of an API server', async () => {
    await expect(read({ container: 'other' })).rejects.toMatchObject({ code: 400, message: `container other is not valid for pod ${pod}` });
    await expect(read({ previous: true })).rejects.toMatchObject({
      code: 400,
      message: `previous terminated container "main" in pod "${pod}" not found`,
    });
    await expect(cluster.logs('nobody')).rejects.toMatchObject({ code: 404, message: 'pods "nobody" not found' });
    const two = { containers: ['a', 'b'].map((name) => ({ name, image: name === 'b' ? 'invalid' : 'x' })) };
    await cluster.create('Pod', { metadata: { name: 'two' }, spec: two });
    await cluster.settle();
    await expect(cluster.logs('two')).rejects.toMatchObject({
      message: 'a container name must be specified for pod two, choose one of: [a b]',
    });
    await expect(cluster.logs('two', { container: 'b' })).rejects.toMatchObject({
      message: 'container "b" in pod "two" is waiting to start: ErrImagePull',
    });
    await cluster.advance(10_000);
    expect((await cluster.get('Pod', 'two')).status).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ ready: true }, { state: { waiting: { reason: 'ImagePullBackOff' } } }],
    });
  });
});
