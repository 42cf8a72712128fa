import { describe, expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { ChangeBatch } from './change-batch.ts';
import type { ChangePace, LiveChange } from './live-cache.ts';

function open() {
  const timers = new ManualTimers();
  const lines: string[] = [];
  const log = createLogger({ level: 'error', format: 'text', write: (line) => void lines.push(line) });
  const batch = new ChangeBatch({ timers, log, coalesceMs: 100 });
  const changes: LiveChange[] = [];
  return { timers, batch, changes, lines, listen: (pace: ChangePace = 'gathered') => batch.listen((change) => changes.push(change), pace) };
}

describe('changes', () => {
  it('that come together are told once, the stronger word for each application', async () => {
    const { timers, batch, changes, listen } = open();
    listen();
    batch.noteInstance('a', 'tree');
    batch.noteInstance('a', 'compare');
    batch.noteInstance('a', 'tree');
    batch.noteInstance('b', 'tree');
    batch.noteNamespace('space');
    await timers.advance(99);
    expect(changes).toEqual([]);
    await timers.advance(1);
    const instances = new Map([
      ['a', 'compare'],
      ['b', 'tree'],
    ]);
    expect(changes).toEqual([{ instances, namespaces: new Set(['space']), kinds: false }]);
    await timers.advance(1000);
    expect(changes).toHaveLength(1);
  });

  it('reach the others where one listener fails', async () => {
    const { timers, batch, changes, lines, listen } = open();
    batch.listen(() => {
      throw new Error('broken listener');
    }, 'gathered');
    listen();
    batch.noteKinds();
    await timers.advance(100);
    expect(changes).toMatchObject([{ kinds: true }]);
    expect(lines).toHaveLength(1);
  });

  it('reach those who look at once where it was quiet, and then not more often than the others', async () => {
    const { timers, batch, changes, listen } = open();
    listen('soon');
    batch.noteInstance('a', 'tree');
    await timers.advance(9);
    expect(changes).toEqual([]);
    await timers.advance(1);
    expect(changes).toHaveLength(1);
    for (let passedMs = 0; passedMs < 1_000; passedMs += 5) {
      batch.noteInstance('a', 'tree');
      await timers.advance(5);
    }
    expect(changes).toHaveLength(11);
    expect(changes[10]?.instances).toEqual(new Map([['a', 'tree']]));
  });

  it('reach nobody who has left, and wait for nobody after the end', async () => {
    const { timers, batch, changes, listen } = open();
    listen()();
    batch.noteKinds();
    await timers.advance(100);
    listen();
    batch.noteKinds();
    batch.close();
    expect(timers.waiting).toBe(0);
    await timers.advance(100);
    expect(changes).toEqual([]);
  });
});
