import { describe, expect, it } from 'vitest';
import { createGate } from './gate.ts';

describe('a gate', () => {
  it('lets in so many, in the order of their coming, and forgets those who give up', async () => {
    const gate = createGate({ insideMax: 1, waitingMax: 2, full: 'full' });
    const order: string[] = [];
    const leaveFirst = await gate.enter();
    const controller = new AbortController();
    const second = gate.enter(controller.signal);
    const third = gate.enter().then((leave) => {
      order.push('third');
      return leave;
    });
    await expect(gate.enter()).rejects.toThrow('full');
    controller.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    await expect(gate.enter(controller.signal)).rejects.toThrow('enough');
    const fourth = gate.enter().then((leave) => {
      order.push('fourth');
      return leave;
    });
    leaveFirst();
    // Leaving twice must not let two in.
    leaveFirst();
    const leaveThird = await third;
    expect(order).toEqual(['third']);
    leaveThird();
    (await fourth)();
    expect(order).toEqual(['third', 'fourth']);
    (await gate.enter())();
  });
});
