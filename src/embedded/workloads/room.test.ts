import { describe, expect, it } from 'vitest';
import { Room } from './room.ts';
import { viewOf } from './view.ts';
import type { View } from './view.ts';

const owner = (name: string): View =>
  viewOf('ReplicaSet', { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name, namespace: 'a', uid: name } });

function open(max: number) {
  const there = { count: 0 };
  const short: string[] = [];
  const woken: string[] = [];
  const later: string[] = [];
  const room = new Room({
    max,
    count: () => there.count,
    onShort: ({ name }) => short.push(name),
    wake: (key) => woken.push(key),
    wakeLater: (key) => later.push(key),
  });
  return { room, there, short, woken, later };
}

describe('the room for pods', () => {
  it('is given out once, also to those who take it at the same time', () => {
    const { room, there } = open(10);
    expect(room.take(owner('one'), 8)).toBe(8);
    expect(room.take(owner('two'), 8)).toBe(2);
    there.count = 8;
    room.giveBack(8);
    expect(room.take(owner('one'), 1)).toBe(0);
    expect(room.takeAll(owner('one'), 0)).toBe(true);
  });

  it('is given as a whole where a part is of no use', () => {
    const { room } = open(3);
    expect(room.takeAll(owner('one'), 4)).toBe(false);
    expect(room.takeAll(owner('one'), 3)).toBe(true);
    expect(room.takeAll(owner('one'), 1)).toBe(false);
  });

  it('is looked at again by who got too little while others were making some, as that may be refused', () => {
    const { room, there, later } = open(10);
    expect(room.take(owner('one'), 8)).toBe(8);
    expect(room.takeAll(owner('two'), 4)).toBe(false);
    expect(later).toEqual(['ReplicaSet a/two']);
    room.giveBack(8);
    expect(room.takeAll(owner('two'), 4)).toBe(true);
    there.count = 4;
    room.giveBack(4);
    expect(room.take(owner('one'), 8)).toBe(6);
    expect(later).toHaveLength(1);
  });

  it('tells an owner once that there is too little, and asks it again when something goes', () => {
    const { room, there, short, woken } = open(1);
    there.count = 1;
    room.take(owner('one'), 2);
    room.take(owner('one'), 2);
    room.take(owner('gone'), 2);
    room.forget('gone');
    expect(short).toEqual(['one', 'gone']);
    room.freed();
    expect(woken).toEqual([]);
    there.count = 0;
    room.freed();
    expect(woken).toEqual(['ReplicaSet a/one']);
    room.take(owner('one'), 1);
    room.freed();
    expect(woken).toHaveLength(1);
  });
});
