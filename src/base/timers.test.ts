import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { pause, systemTimers } from './timers.ts';

describe('systemTimers', () => {
  it('call once after the delay, unless cancelled, and keep delays that are too long for the runtime', async () => {
    const called: string[] = [];
    const beganMs = systemTimers.nowMs();
    systemTimers.schedule(0, () => called.push('cancelled'))();
    const cancel = systemTimers.schedule(1e12, () => called.push('far'));
    await new Promise<void>((resolve) => systemTimers.schedule(20, resolve));
    expect(called).toEqual([]);
    expect(systemTimers.nowMs() - beganMs).toBeGreaterThan(15);
    cancel();
  });
});

describe('pause', () => {
  it('ends with its time or with its signal, and leaves neither timer nor listener behind', async () => {
    const timers = new ManualTimers();
    const controller = new AbortController();
    let ended = 0;
    const end = (): number => (ended += 1);
    void pause(timers, 100, controller.signal).then(end);
    void pause(timers, 5000, controller.signal).then(end);
    await timers.advance(99);
    expect(ended).toBe(0);
    await timers.advance(1);
    expect(ended).toBe(1);
    controller.abort();
    await timers.advance(0);
    expect([ended, timers.waiting]).toEqual([2, 0]);
    await pause(timers, 5000, controller.signal);
    expect(timers.waiting).toBe(0);
  });
});
