import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger, systemTimers } from '../base/index.ts';
import { MemoryLeases } from '../../test/support/memory-leases.ts';
import type { ObjectStore } from '../kube/index.ts';
import { leadControllers } from './lead-controllers.ts';

const log = createLogger({ level: 'error', format: 'text', write: () => undefined });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Controllers whose work does not end by itself. */
function openControllers(stores: readonly ObjectStore[] = []) {
  const client = new MemoryLeases(systemTimers).client();
  const told: string[] = [];
  const work = () => ({
    start: () => void told.push('start'),
    async stop(lost?: AbortSignal) {
      told.push('stop');
      await new Promise((resolve) => lost?.addEventListener('abort', resolve));
      told.push('cut off');
    },
  });
  const home = { kind: 'cluster', api: client.api, namespace: 'argocd', close: () => Promise.resolve() } as const;
  return { client, told, controllers: leadControllers({ home, works: [work], stores, log }) };
}

it('cuts controllers off when the Lease is lost, and not while it is held', async () => {
  const { client, told, controllers } = openControllers();
  await controllers.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual(['start']);
  client.line = 'refused';
  await vi.advanceTimersByTimeAsync(24_100);
  expect(told).toEqual(['start', 'stop', 'cut off']);
  client.line = 'open';
  await vi.advanceTimersByTimeAsync(40_000);
  expect(told.slice(3)).toEqual(['start']);
  const stopping = controllers.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told.slice(4)).toEqual(['stop']);
  await vi.advanceTimersByTimeAsync(14_100);
  await stopping;
  expect(told.slice(5)).toEqual(['cut off']);
});

it('begins nothing where the start is given up while objects are read', async () => {
  const reading = Promise.withResolvers<boolean>();
  const store: Pick<ObjectStore, 'whenSynced'> = { whenSynced: () => reading.promise };
  const { told, controllers, client } = openControllers([store as ObjectStore]);
  const starting = controllers.start();
  const stopping = controllers.stop();
  reading.resolve(false);
  await starting;
  await vi.advanceTimersByTimeAsync(60_000);
  await stopping;
  expect(told).toEqual([]);
  expect(client.requests).toBe(0);
});
