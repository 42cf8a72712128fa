import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinkedList, type Linked } from './linked-list.ts';

class Item implements Linked<Item> {
  previousInList: Item | undefined;
  nextInList: Item | undefined;
}

describe('a linked list', () => {
  it('holds what a Set would hold, in the same order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(7))), (steps) => {
        const items = Array.from({ length: 8 }, () => new Item());
        const list = new LinkedList<Item>();
        const set = new Set<Item>();
        for (const [isAdding, index] of steps) {
          const item = items[index]!;
          if (!isAdding) expect(list.delete(item)).toBe(set.delete(item));
          else if (!set.has(item)) {
            list.add(item);
            set.add(item);
          }
        }
        const seen: Item[] = [];
        list.forEach((item) => seen.push(item));
        expect(seen).toEqual([...set]);
      }),
    );
  });

  it('lets an item go while it is visited', () => {
    const items = [new Item(), new Item(), new Item()];
    const list = new LinkedList<Item>();
    for (const item of items) list.add(item);
    list.forEach((item) => list.delete(item));
    list.forEach(() => expect.unreachable());
  });
});
