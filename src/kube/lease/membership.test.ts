import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { MemoryLeases, type Line } from '../../../test/support/memory-leases.ts';
import { createMembership, type MembershipView } from './membership.ts';

const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
const keys = Array.from({ length: 20 }, (_, index) => `application-${index}`);

function openGroup() {
  const timers = new ManualTimers();
  const leases = new MemoryLeases(timers);
  const join = (identity: string) => {
    const client = leases.client();
    const views: MembershipView[] = [];
    const membership = createMembership({
      api: client.api,
      namespace: 'fairway',
      group: 'shards',
      identity,
      onChange: (view) => views.push(view),
      log,
      timers,
      clock: timers,
      random: () => 0,
    });
    membership.start();
    return { client, membership, views, identity };
  };
  type Member = ReturnType<typeof join>;
  const owners = (members: readonly Member[], key: string): string[] =>
    members.filter(({ membership }) => membership.owns(key)).map(({ identity }) => identity);
  const expectNoOverlap = (members: readonly Member[]): void => {
    for (const key of keys) if (owners(members, key).length > 1) throw new Error(`${key} is owned by ${owners(members, key).join()}`);
  };
  const expectAllOwned = (members: readonly Member[]): void => {
    for (const key of keys) expect(owners(members, key), key).toHaveLength(1);
  };
  const watch = async (members: readonly Member[], milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 250) {
      await timers.advance(250);
      expectNoOverlap(members);
    }
  };
  return { timers, leases, join, expectAllOwned, watch };
}

describe('A membership', () => {
  it('gives everything to one that is alone, at once', async () => {
    const { timers, join, expectAllOwned } = openGroup();
    const one = join('one');
    await timers.advance(0);
    expectAllOwned([one]);
    expect(one.views).toEqual([{ active: true, members: ['one'] }]);
  });

  it('divides the work among three, without a moment of two owners', async () => {
    const { timers, join, expectAllOwned, watch } = openGroup();
    const one = join('one');
    await timers.advance(1500);
    const all = [one, join('two')];
    await watch(all, 5000);
    all.push(join('three'));
    await watch(all, 30_000);
    expectAllOwned(all);
    for (const { membership } of all) {
      expect(membership.view).toEqual({ active: true, members: ['one', 'three', 'two'] });
      expect(keys.filter((key) => membership.owns(key)).length).toBeGreaterThan(2);
    }
    expect(one.views.map(({ members }) => members.length)).toEqual([1, 2, 3]);
  });

  it('lets the others take over at once from one that leaves', async () => {
    const { timers, leases, join, expectAllOwned, watch } = openGroup();
    const [one, two] = [join('one'), join('two')];
    await watch([one, two], 20_000);
    await two.membership.stop();
    expect(leases.objects.size).toBe(1);
    await timers.advance(2000);
    expectAllOwned([one]);
    expect(keys.some((key) => two.membership.owns(key))).toBe(false);
  });

  it.each<Line>(['refused', 'silent', 'answers lost'])(
    'takes the work from one that is cut off (%s), which knows it first',
    async (line) => {
      const { join, expectAllOwned, watch } = openGroup();
      const [one, two] = [join('one'), join('two')];
      await watch([one, two], 20_000);
      two.client.line = line;
      await watch([one, two], 10_000);
      expect(two.views.at(-1)?.active).toBe(false);
      await watch([one, two], 15_000);
      expectAllOwned([one]);
      expect(one.views.at(-1)).toEqual({ active: true, members: ['one'] });
      two.client.line = 'open';
      await watch([one, two], 20_000);
      expectAllOwned([one, two]);
      expect(keys.some((key) => two.membership.owns(key))).toBe(true);
    },
  );

  it('removes the lease of one that never came back', async () => {
    const { timers, leases, join } = openGroup();
    const [, two] = [join('one'), join('two')];
    await timers.advance(20_000);
    two.client.line = 'silent';
    await timers.advance(140_000);
    expect([...leases.objects.keys()]).toContain('shards-two');
    await timers.advance(25_000);
    expect([...leases.objects.keys()]).toEqual(['shards-one']);
  });

  it('leaves nothing behind when it stops', async () => {
    const { timers, join } = openGroup();
    const one = join('one');
    await timers.advance(3000);
    await one.membership.stop();
    expect(timers.waiting).toBe(0);
  });

  it('never has two owners of a key, whatever happens to the lines, and one for each when they are open', async () => {
    const change = fc.record({
      who: fc.nat(2),
      line: fc.constantFrom<Line>('open', 'refused', 'silent', 'answers lost'),
      delayMs: fc.constantFrom(0, 5, 700, 2400),
      afterMs: fc.nat(15_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 16 }), async (changes) => {
        const { join, expectAllOwned, watch } = openGroup();
        const all = ['one', 'two', 'three'].map((identity) => join(identity));
        for (const { who, line, delayMs, afterMs } of changes) {
          const client = all[who]?.client;
          if (client) Object.assign(client, { line, delayMs });
          await watch(all, afterMs);
        }
        for (const { client } of all) Object.assign(client, { line: 'open', delayMs: 0 });
        await watch(all, 45_000);
        expectAllOwned(all);
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
