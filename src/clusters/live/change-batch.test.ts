import { describe, expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { ChangeBatch } from './change-batch.ts';
import type { LiveChange } from './live-cache.ts';

function open() {
  const timers = new ManualTimers();
  const lines: string[] = [];
  const log = createLogger({ level: 'error', format: 'text', write: (line) => void lines.push(line) });
  const batch = new ChangeBatch({ timers, log, coalesceMs: 100 });
  const changes: LiveChange[] = [];
  return { timers, batch, changes, lines, listen: () => batch.listen((change) => changes.push(change)) };
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
    });
    listen();
    batch.noteKinds();
    await timers.advance(100);
    expect(changes).toMatchObject([{ kinds: true }]);
    expect(lines).toHaveLength(1);
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
