import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { condition, startWorkloadTest } from '../support/workloads.ts';
import type { Given, Seen, WorkloadTest } from '../support/workloads.ts';

let cluster: WorkloadTest;
beforeEach(async () => {
  cluster = await startWorkloadTest();
});
afterEach(() => cluster.stop());

const jobSpec = (command: string, more: Given = {}, restartPolicy = 'Never'): Given => ({
  template: { spec: { restartPolicy, containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', command] }] } },
  ...more,
});
const job = (name: string, command: string, more: Given = {}, restartPolicy = 'Never'): Given => ({
  metadata: { name },
  spec: jobSpec(command, more, restartPolicy),
});
const status = async (name: string): Promise<Seen['status']> => (await cluster.get('Job', name)).status;

describe('a simulated Job', () => {
  it('runs for the time that its command sleeps, and is complete', async () => {
    await cluster.create('Job', job('once', 'sleep 5'));
    await cluster.advance(4_000);
    expect(await status('once')).toEqual({
      startTime: '2026-01-02T03:04:05Z',
      active: 1,
      ready: 1,
      terminating: 0,
      uncountedTerminatedPods: {},
    });
    await cluster.advance(1_000);
    const times = { lastProbeTime: '2026-01-02T03:04:10Z', lastTransitionTime: '2026-01-02T03:04:10Z' };
    const end = { status: 'True', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods', ...times };
    expect(await status('once')).toEqual({
      conditions: [
        { type: 'SuccessCriteriaMet', ...end },
        { type: 'Complete', ...end },
      ],
      startTime: '2026-01-02T03:04:05Z',
      completionTime: '2026-01-02T03:04:10Z',
      succeeded: 1,
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {},
    });
    const pod = await cluster.only('Pod');
    expect(pod.status).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
    });
  });

  it('runs as many pods at once as it may, until enough have succeeded', async () => {
    await cluster.create('Job', job('many', 'sleep 2', { completions: 5, parallelism: 2 }));
    await cluster.advance(1_000);
    expect(await status('many')).toMatchObject({ active: 2 });
    await cluster.advance(2_000);
    expect(await status('many')).toMatchObject({ active: 2, succeeded: 2 });
    await cluster.advance(10_000);
    expect(await status('many')).toMatchObject({ succeeded: 5 });
    expect(await cluster.list('Pod')).toHaveLength(5);
  });

  it('counts by index', async () => {
    await cluster.create('Job', job('indexed', 'sleep 1', { completions: 4, parallelism: 4, completionMode: 'Indexed' }));
    await cluster.advance(3_000);
    expect(await status('indexed')).toMatchObject({ succeeded: 4, completedIndexes: '0-3' });
  });

  it('fails when its pods have failed too often', async () => {
    await cluster.create('Job', job('bad', 'exit 3', { backoffLimit: 2 }));
    await cluster.advance(10_000);
    const failed = await cluster.get('Job', 'bad');
    expect(failed.status).toMatchObject({ failed: 3 });
    expect(condition(failed, 'Failed')).toMatchObject({
      status: 'True',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    });
    const pods = await cluster.list('Pod');
    expect(pods.map((pod) => pod.status.containerStatuses[0]?.state.terminated?.exitCode)).toEqual([3, 3, 3]);
  });

  it('restarts a container in its pod where the policy says so', async () => {
    await cluster.create('Job', job('again', 'sleep 3; false', { backoffLimit: 2 }, 'OnFailure'));
    await cluster.advance(3_500);
    const { metadata } = await cluster.only('Pod');
    const ended = await cluster.logs(metadata.name);
    expect(await cluster.logs(metadata.name, { previous: true })).toBe(ended);
    await cluster.advance(1_500);
    const pod = await cluster.only('Pod');
    expect(await cluster.logs(metadata.name, { previous: true })).toBe(ended);
    expect(pod.status.containerStatuses[0]).toMatchObject({ restartCount: 1 });
    expect((await cluster.logs(pod.metadata.name, { previous: true })).trimEnd().split('\n').at(-1)).toBe(
      '[simulation] failed with exit code 1',
    );
    await cluster.advance(20_000);
    expect(condition(await cluster.get('Job', 'again'), 'Failed')?.reason).toBe('BackoffLimitExceeded');
  });

  it('ends when it has taken too long, and goes when its time after the end is over', async () => {
    await cluster.create('Job', job('late', 'sleep 100', { activeDeadlineSeconds: 5, ttlSecondsAfterFinished: 30 }));
    await cluster.advance(5_000);
    expect(condition(await cluster.get('Job', 'late'), 'Failed')).toMatchObject({ reason: 'DeadlineExceeded' });
    expect(await cluster.list('Pod')).toEqual([]);
    await cluster.advance(29_000);
    expect(await cluster.list('Job')).toHaveLength(1);
    await cluster.advance(1_000);
    expect(await cluster.list('Job')).toEqual([]);
  });

  it('has no pods while it is suspended', async () => {
    await cluster.create('Job', job('held', 'sleep 5', { suspend: true }));
    await cluster.settle();
    expect(condition(await cluster.get('Job', 'held'), 'Suspended')).toMatchObject({
      status: 'True',
      reason: 'JobSuspended',
      message: 'Job suspended',
    });
    expect(await cluster.list('Pod')).toEqual([]);
    await cluster.merge('Job', 'held', { spec: { suspend: false } });
    await cluster.advance(1_000);
    expect(await status('held')).toMatchObject({ active: 1 });
    expect(condition(await cluster.get('Job', 'held'), 'Suspended')).toMatchObject({ status: 'False', reason: 'JobResumed' });
    await cluster.merge('Job', 'held', { spec: { suspend: true } });
    await cluster.settle();
    expect(await cluster.list('Pod')).toEqual([]);
    expect((await status('held')).startTime).toBeUndefined();
  });

  it('hangs where it is told to', async () => {
    const hanging = job('stuck', 'sleep 1');
    await cluster.create('Job', { ...hanging, metadata: { name: 'stuck', annotations: { 'simulate.fairway.dev/behavior': 'hang' } } });
    await cluster.advance(60_000);
    expect(await status('stuck')).toMatchObject({ active: 1, ready: 0 });
  });
});

describe('a simulated CronJob', () => {
  const cron = (schedule: string, command: string, more: Given = {}): Given => ({
    metadata: { name: 'tick' },
    spec: { schedule, jobTemplate: { spec: jobSpec(command) }, ...more },
  });

  it('begins a Job at each time of its schedule, and keeps as many as it should', async () => {
    await cluster.create('CronJob', cron('*/2 * * * *', 'sleep 1'));
    await cluster.advance(54_000);
    expect(await cluster.list('Job')).toEqual([]);
    await cluster.advance(61_000);
    const first = Date.parse('2026-01-02T03:06:00Z') / 60_000;
    expect((await cluster.list('Job')).map(({ metadata }) => metadata.name)).toEqual([`tick-${first}`]);
    await cluster.advance(1_000);
    expect((await cluster.get('CronJob', 'tick')).status).toEqual({
      lastScheduleTime: '2026-01-02T03:06:00Z',
      lastSuccessfulTime: '2026-01-02T03:06:01Z',
    });
    await cluster.advance(600_000);
    expect((await cluster.list('Job')).map(({ metadata }) => metadata.name)).toEqual(
      [first + 6, first + 8, first + 10].map((minute) => `tick-${minute}`),
    );
    expect(await cluster.list('Pod')).toHaveLength(3);
  });

  it('keeps its time zone', async () => {
    await cluster.create('CronJob', cron('30 8 * * *', 'sleep 1', { timeZone: 'Asia/Kolkata' }));
    await cluster.create('CronJob', { ...cron('45 4 * * *', 'sleep 1', { timeZone: 'Europe/Berlin' }), metadata: { name: 'berlin' } });
    await cluster.advance(3_600_000);
    expect(
      (await cluster.list('Job')).map(({ metadata }) => metadata.annotations['batch.kubernetes.io/cronjob-scheduled-timestamp']),
    ).toEqual(['2026-01-02T03:45:00Z']);
  });

  it.each([
    ['Allow', 2],
    ['Forbid', 1],
    ['Replace', 1],
  ])('%s: so many Jobs at once', async (concurrencyPolicy, count) => {
    await cluster.create('CronJob', cron('* * * * *', 'sleep 100', { concurrencyPolicy }));
    await cluster.advance(116_000);
    const { active } = (await cluster.get('CronJob', 'tick')).status;
    expect(active).toHaveLength(count);
    const last = Date.parse(concurrencyPolicy === 'Forbid' ? '2026-01-02T03:05:00Z' : '2026-01-02T03:06:00Z') / 60_000;
    expect(active.at(-1)?.name).toBe(`tick-${last}`);
  });

  it('begins nothing while it is suspended', async () => {
    await cluster.create('CronJob', cron('* * * * *', 'sleep 1', { suspend: true }));
    await cluster.advance(300_000);
    expect(await cluster.list('Job')).toEqual([]);
  });
});
