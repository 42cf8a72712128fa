import { describe, expect, it } from 'vitest';
import { nextWindowChange } from './next-window-change.ts';

const nowMs = Date.parse('2026-01-01T10:30:00Z');
const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`) + 1;

describe('The next time that windows change', () => {
  it.each([
    ['is when one opens', [{ schedule: '0 11 * * *', duration: '1h' }], at('11:00:00')],
    ['is when one that is open closes', [{ schedule: '0 10 * * *', duration: '1h' }], at('11:00:00')],
    [
      'is the first of several',
      [
        { schedule: '0 14 * * *', duration: '1h' },
        { schedule: '45 10 * * *', duration: '5m' },
      ],
      at('10:45:00'),
    ],
    ['follows the zone of a window', [{ schedule: '0 12 * * *', duration: '1h', timeZone: 'Europe/Berlin' }], at('11:00:00')],
    ['is not known more than a day ahead', [{ schedule: '0 0 29 2 *', duration: '1h' }], undefined],
    ['is not known for what cannot be read', [{ schedule: 'x', duration: '1h' }], undefined],
    ['is not known where there are none', [], undefined],
  ])('%s', (_title, windows, expected) => {
    expect(nextWindowChange(windows, nowMs)).toBe(expected);
  });
});
