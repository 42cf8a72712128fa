import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DueHeap } from './due-heap.ts';
import { Fifo } from './fifo.ts';

describe('A heap of what falls due', () => {
  it('gives it out soonest first, without what was cancelled', () => {
    const entries = fc.array(fc.record({ dueMs: fc.nat(50), cancelled: fc.boolean() }), { maxLength: 300 });
    fc.assert(
      fc.property(entries, fc.nat(50), (all, nowMs) => {
        const heap = new DueHeap<number>();
        const dues = all.map(({ dueMs }, index) => heap.add(index, dueMs));
        all.forEach(({ cancelled }, index) => {
          const due = dues[index];
          if (cancelled && due) heap.cancel(due);
        });
        const kept = all.filter(({ cancelled }) => !cancelled).map(({ dueMs }) => dueMs);
        expect(heap.size).toBe(kept.length);
        const taken: number[] = [];
        for (let due = heap.take(nowMs); due; due = heap.take(nowMs)) {
          taken.push(due.dueMs);
          heap.cancel(due);
        }
        expect(taken).toEqual(kept.filter((dueMs) => dueMs <= nowMs).toSorted((one, other) => one - other));
        expect(heap.size).toBe(kept.length - taken.length);
        expect(heap.nextMs).toBe(kept.filter((dueMs) => dueMs > nowMs).toSorted((one, other) => one - other)[0]);
      }),
    );
  });
});

describe('First in, first out', () => {
  it('gives out in the order of coming, also after thousands', () => {
    const fifo = new Fifo<number>();
    const out: (number | undefined)[] = [];
    for (let index = 0; index < 10_000; index += 1) {
      fifo.push(index);
      if (index % 3 !== 0) out.push(fifo.shift());
    }
    while (fifo.size > 0) out.push(fifo.shift());
    expect(out).toEqual(Array.from({ length: 10_000 }, (_, index) => index));
    expect(fifo.shift()).toBeUndefined();
  });
});
