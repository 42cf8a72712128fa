import { describe, expect, it } from 'vitest';
import type { SyncWindow } from '../../contract/index.ts';
import { nextSyncTime } from './next-sync-time.ts';

const at = (text: string) => Date.parse(`2026-03-04T${text}:00Z`);
const window = (kind: string, schedule: string, more: SyncWindow = {}): SyncWindow => ({ kind, schedule, duration: '1h', ...more });

describe('The next time that windows let an application be synced', () => {
  it.each<[string, readonly SyncWindow[], number | undefined]>([
    ['is when the denying one closes', [window('deny', '0 12 * * *')], at('13:00')],
    ['is when the last of several denying ones closes', [window('deny', '0 12 * * *'), window('deny', '45 12 * * *')], at('13:45')],
    ['is when an allowing one opens', [window('allow', '0 22 * * *')], at('22:00')],
    ['may be days away', [window('allow', '0 22 * * sun')], Date.parse('2026-03-08T22:00:00Z')],
    [
      'is after the denying one where an allowing one opens meanwhile',
      [window('deny', '0 12 * * *', { duration: '12h' }), window('allow', '0 22 * * *', { duration: '4h' })],
      Date.parse('2026-03-05T00:00:00Z'),
    ],
    ['is not known where none comes within a month', [window('allow', '0 0 29 2 *')], undefined],
    ['is not known where denying ones never end', [window('deny', '* * * * *')], undefined],
  ])('%s', (_title, windows, expected) => {
    expect(nextSyncTime(windows, { nowMs: at('12:30'), isManual: true })).toBe(expected);
  });
});
