import { describe, expect, it } from 'vitest';
import { SyncSimulator } from '../../../test/support/sync-simulator.ts';
import type { KubeObject } from '../../objects/index.ts';
import { formatKey } from '../resource-key.ts';
import { formatKitchenTime, mayRetry, parseDurationMs, restartMessage, retriedMessage, retryDelayMs, retryMessage } from './plan-retry.ts';
import { concludeTermination, planTermination } from './plan-termination.ts';

describe('A retry', () => {
  it.each([
    [undefined, 0, false],
    [{ limit: 2 }, 1, true],
    [{ limit: 2 }, 2, false],
    [{ limit: -1 }, 1_000, true],
  ])('with %j after %i: %s', (retry, count, may) => expect(mayRetry(retry, count)).toBe(may));

  it.each([
    [undefined, 0, 5_000],
    [undefined, 2, 20_000],
    [undefined, 9, 180_000],
    [{ backoff: { duration: '1m', factor: 3, maxDuration: '1h' } }, 2, 540_000],
    [{ backoff: { duration: '7' } }, 0, 7_000],
  ])('with %j after %i waits %i ms', (retry, count, delay) => expect(retryDelayMs(retry, count)).toBe(delay));

  it.each([
    ['1h30m', 5_400_000],
    ['1.5s', 1_500],
    ['10', 10_000],
    ['250ms', 250],
  ])('reads %s', (text, milliseconds) => expect(parseDurationMs(text)).toBe(milliseconds));

  it.each(['', 'soon', '5x', '-5s', '1h later'])('refuses %j', (text) => {
    expect(() => parseDurationMs(text)).toThrow(`unable to parse ${text} as a duration`);
  });

  it('DOS-07: refuses a very long one in a time that grows with its length alone', () => {
    const startMs = performance.now();
    expect(() => parseDurationMs(`${'1'.repeat(200_000)}x`)).toThrow('as a duration');
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  it('says when it comes, and how many there were', () => {
    const time = formatKitchenTime(Date.parse('2026-01-01T15:04:59Z'));
    expect(retryMessage('it broke', 2, time)).toBe('it broke. Retrying attempt #2 at 3:04PM.');
    expect(formatKitchenTime(Date.parse('2026-01-01T00:09:00Z'))).toBe('12:09AM');
    expect(restartMessage(2, false)).toBe('Retrying operation. Attempt #2');
    expect(restartMessage(2, true)).toBe('Retrying operation with latest revisions. Attempt #2');
    expect(retriedMessage('it broke', 3)).toBe('it broke (retried 3 times).');
    expect(retriedMessage('it broke', 0)).toBe('it broke');
  });
});

describe('An operation that is broken off', () => {
  const hook: KubeObject = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'pre', namespace: 'ns', annotations: { 'argocd.argoproj.io/hook': 'PreSync' } },
  };

  it('deletes the hooks that run, and has failed', () => {
    const sync = new SyncSimulator({ desired: [hook] });
    sync.step();
    sync.step();
    const operation = {
      startedAtMs: 0,
      attempt: 0,
      revision: '',
      dryRun: false,
      prune: false,
      usesHooks: true,
      selected: [],
      syncOptions: [],
    };
    const input = {
      operation,
      resources: [],
      hooks: [hook],
      liveHook: (key: Parameters<typeof formatKey>[0]) => sync.live.get(formatKey(key)),
      mark: (object: typeof hook) => object,
      results: sync.results,
    };
    const { delete: tasks } = planTermination(input);
    expect(tasks.map(({ name }) => name)).toEqual(['pre']);
    expect(concludeTermination(sync.results, tasks)).toMatchObject({
      phase: 'Failed',
      message: 'Operation terminated',
      results: [{ hookPhase: 'Failed', message: 'Terminated' }],
    });
    const failures = tasks.map((task) => ({ task, message: 'no' }));
    expect(concludeTermination(sync.results, [], failures)).toMatchObject({ phase: 'Error', message: 'Operation termination had errors' });
  });
});
