import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rendezvousOwner } from './rendezvous.ts';

const members = ['replica-1', 'replica-2', 'replica-3', 'replica-4'];
const keys = Array.from({ length: 4000 }, (_, index) => `argocd/application-${index}`);

describe('Rendezvous hashing', () => {
  it('gives each member a fair share of similar keys', () => {
    for (const member of members) {
      const share = keys.filter((key) => rendezvousOwner(members, key) === member).length;
      expect(share).toBeGreaterThan(850);
      expect(share).toBeLessThan(1150);
    }
  });

  it('moves only the keys of the member that leaves', () => {
    for (const gone of members) {
      const left = members.filter((member) => member !== gone);
      for (const key of keys) {
        const before = rendezvousOwner(members, key);
        if (before !== gone && rendezvousOwner(left, key) !== before) throw new Error(`${key} moved`);
      }
    }
  });

  it('does not depend on the order of the members, nor on the characters of a key', () => {
    fc.assert(
      fc.property(fc.string(), (key) => {
        expect(rendezvousOwner(members.toReversed(), key)).toBe(rendezvousOwner(members, key));
      }),
    );
    expect(rendezvousOwner([], 'key')).toBeUndefined();
  });
});
