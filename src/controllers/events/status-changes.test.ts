import { expect, it } from 'vitest';
import type { EventNote } from '../../kube/index.ts';
import type { Application, ApplicationStatus } from '../../model/index.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { createStatusChanges } from './status-changes.ts';

function open() {
  const timers = new ManualTimers();
  const told: string[] = [];
  const events = { record: async ({ message }: EventNote): Promise<void> => void told.push(message) };
  return { timers, told, changes: createStatusChanges({ events, timers }) };
}

const status = (sync: string, health: string): ApplicationStatus => ({ sync: { status: sync }, health: { status: health } });
const application = (name: string, sync: string, health: string): Application =>
  ({ metadata: { name, uid: name }, spec: { destination: {} }, status: status(sync, health) }) as unknown as Application;

it('tells of changes that follow closely on one another as one', async () => {
  const { changes, timers, told } = open();
  changes.notice(application('a', 'OutOfSync', 'Missing'), undefined);
  await timers.advance(600);
  changes.notice(application('a', 'Synced', 'Progressing'), status('OutOfSync', 'Missing'));
  await timers.advance(399);
  expect(told).toEqual([]);
  await timers.advance(1);
  expect(told).toEqual(['Updated sync status:  -> Synced', 'Updated health status:  -> Progressing']);
  changes.notice(application('a', 'Synced', 'Healthy'), status('Synced', 'Progressing'));
  await timers.advance(1_000);
  expect(told.slice(2)).toEqual(['Updated health status: Progressing -> Healthy']);
});

it('does not tell of what came back to what it was, and of nothing twice', async () => {
  const { changes, timers, told } = open();
  changes.notice(application('a', 'OutOfSync', 'Healthy'), status('Synced', 'Healthy'));
  changes.notice(application('a', 'Synced', 'Healthy'), status('OutOfSync', 'Healthy'));
  changes.notice(application('b', 'Synced', 'Healthy'), status('Synced', 'Healthy'));
  await timers.advance(5_000);
  expect(told).toEqual([]);
});

it('tells of trouble at once, before what somebody does about it, and however short it was', async () => {
  const { changes, timers, told } = open();
  changes.notice(application('a', 'Synced', 'Degraded'), status('Synced', 'Progressing'));
  expect(told).toEqual(['Updated health status: Progressing -> Degraded']);
  changes.notice(application('a', 'OutOfSync', 'Degraded'), status('Synced', 'Degraded'));
  changes.notice(application('a', 'Synced', 'Degraded'), status('OutOfSync', 'Degraded'));
  changes.notice(application('a', 'Synced', 'Progressing'), status('Synced', 'Degraded'));
  changes.notice(application('a', 'Synced', 'Healthy'), status('Synced', 'Progressing'));
  expect(told).toHaveLength(1);
  await timers.advance(1_000);
  expect(told.slice(1)).toEqual(['Updated health status: Degraded -> Healthy']);
});

it('waits for the end of an operation, and not for ever', async () => {
  const { changes, timers, told } = open();
  const running = { ...application('a', 'OutOfSync', 'Missing'), operation: { sync: {} } };
  changes.notice(running, undefined);
  await timers.advance(4_000);
  changes.notice(application('a', 'Synced', 'Healthy'), status('OutOfSync', 'Missing'));
  await timers.advance(1_000);
  expect(told).toEqual(['Updated sync status:  -> Synced', 'Updated health status:  -> Healthy']);
  changes.notice({ ...running, metadata: { uid: 'b' } }, undefined);
  await timers.advance(9_000);
  expect(told).toHaveLength(2);
  await timers.advance(1_000);
  expect(told.slice(2)).toEqual(['Updated sync status:  -> OutOfSync', 'Updated health status:  -> Missing']);
  expect(timers.waiting).toBe(0);
});

it('tells of everything when it stops', () => {
  const { changes, told, timers } = open();
  changes.notice(application('a', 'OutOfSync', 'Healthy'), status('Synced', 'Healthy'));
  changes.notice(application('b', 'Synced', 'Progressing'), status('Synced', 'Healthy'));
  changes.stop();
  expect(told).toEqual(['Updated sync status: Synced -> OutOfSync', 'Updated health status: Healthy -> Progressing']);
  expect(timers.waiting).toBe(0);
});
