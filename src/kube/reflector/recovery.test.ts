import { describe, expect, it } from 'vitest';
import { Recovery } from './recovery.ts';
import { defaultLimits } from './reflector-options.ts';
import type { Trouble, TroubleReason } from './trouble.ts';

const trouble = (reason: TroubleReason, more: Partial<Trouble> = {}): Trouble => ({ reason, message: 'trouble', ...more });
const createRecovery = (): Recovery => new Recovery(defaultLimits, () => 0);

describe('Recovery', () => {
  it.each<[TroubleReason, number | undefined, string]>([
    ['unreachable', undefined, 'resume resume resume resume'],
    ['expired', 410, 'relist relist relist relist'],
    ['refused', 404, 'relist relist relist relist'],
    ['stalled', undefined, 'ask ask ask ask'],
    ['throttled', 429, 'resume resume ask ask'],
    ['refused', 500, 'resume resume relist relist'],
    ['ended', undefined, 'resume resume relist relist'],
    ['forbidden', 403, 'resume resume relist relist'],
  ])('plans after watches that fail as %s (%s): %s', (reason, code, plans) => {
    const recovery = createRecovery();
    const planned = [1, 2, 3, 4].map(() => recovery.planWatch(trouble(reason, code === undefined ? {} : { code })));
    expect(planned.join(' ')).toBe(plans);
  });

  it('counts bad watches anew after progress', () => {
    const recovery = createRecovery();
    for (const _ of [1, 2, 3]) {
      expect([recovery.planWatch(trouble('ended')), recovery.planWatch(trouble('ended'))]).toEqual(['resume', 'resume']);
      recovery.noteProgress();
    }
  });

  it('waits longer each time until a watch has lived, and at least as long as it is asked to', () => {
    const recovery = createRecovery();
    const delay = (more?: Partial<Trouble>): number => recovery.nextDelayMs(trouble('throttled', more));
    expect([delay(), delay(), delay()]).toEqual([500, 1000, 2000]);
    recovery.noteProgress();
    recovery.noteWatchEnd(59_999);
    expect([delay({ retryAfterMs: 100 }), delay({ retryAfterMs: 10_000 }), delay({ retryAfterMs: 1e9 })]).toEqual([4000, 10_000, 60_000]);
    recovery.noteWatchEnd(60_000);
    expect(delay()).toBe(500);
  });
});
