import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { MemoryLeases, type Line } from '../../../test/support/memory-leases.ts';
import { createLeaderElection, type LeaderElectionOptions } from './leader-election.ts';
import { readLease } from './lease-record.ts';

const log = createLogger({ level: 'error', format: 'text', write: () => undefined });

function openHouse() {
  const timers = new ManualTimers();
  const leases = new MemoryLeases(timers);
  const record = () => {
    const lease = leases.objects.get('controller');
    if (!lease) throw new Error('there is no lease');
    return readLease(lease);
  };
  const candidate = (identity: string, options: Partial<LeaderElectionOptions> & { clockMs?: number; endsAfterMs?: number } = {}) => {
    const client = leases.client();
    const { clockMs = 0, endsAfterMs = 0 } = options;
    const life = { identity, leads: false, times: 0, lost: false };
    const election = createLeaderElection({
      api: client.api,
      namespace: 'fairway',
      name: 'controller',
      identity,
      log,
      timers,
      clock: { nowMs: () => timers.nowMs() + clockMs },
      random: () => 0,
      async lead(signal, lost) {
        lost.addEventListener('abort', () => (life.lost = true));
        life.leads = true;
        life.times += 1;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        life.leads = false;
        if (endsAfterMs > 0) await new Promise<void>((resolve) => timers.schedule(endsAfterMs, resolve));
      },
      ...options,
    });
    election.start();
    return { ...client, client, election, life };
  };
  return { timers, leases, record, candidate };
}

describe('A leader election', () => {
  it('lets the first one lead, and the next one only after it has let go', async () => {
    const { timers, record, candidate } = openHouse();
    const one = candidate('one');
    await timers.advance(100);
    const two = candidate('two');
    await timers.advance(60_000);
    expect([one.life.leads, two.life.leads]).toEqual([true, false]);
    expect(two.election.state).toEqual({ name: 'following', leader: 'one' });
    expect(record()).toMatchObject({
      holderIdentity: 'one',
      leaseDurationSeconds: 30,
      leaseTransitions: 0,
      acquireTime: '1970-01-01T00:00:00.000000Z',
    });
    await one.election.stop();
    expect(record()).toMatchObject({ holderIdentity: '', leaseTransitions: 0 });
    await timers.advance(2000);
    expect(two.life.leads).toBe(true);
    expect(record()).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
    await two.election.stop();
    expect(two.election.state).toEqual({ name: 'stopped' });
    expect(timers.waiting).toBe(0);
  });

  it.each<Line>(['refused', 'silent', 'answers lost'])(
    'ends the leading of one that is cut off (%s) before another can win',
    async (line) => {
      const { timers, candidate } = openHouse();
      const one = candidate('one');
      await timers.advance(0);
      const two = candidate('two');
      await timers.advance(60_500);
      one.client.line = line;
      await timers.advance(23_000);
      expect([one.life.leads, two.life.leads]).toEqual([true, false]);
      await timers.advance(1_000);
      expect([one.life.leads, one.election.isLeading(), two.life.leads]).toEqual([false, false, false]);
      await timers.advance(line === 'answers lost' ? 32_000 : 10_000);
      expect([one.life.leads, two.life.leads]).toEqual([false, true]);
      one.client.line = 'open';
      await timers.advance(60_000);
      expect([one.life.leads, two.life.leads, one.life.times]).toEqual([false, true, 1]);
    },
  );

  it('judges by changes that it sees, not by the clock of the other', async () => {
    const { timers, candidate } = openHouse();
    const one = candidate('one', { clockMs: -86_400_000 });
    await timers.advance(10);
    const two = candidate('two', { clockMs: 86_400_000 });
    await timers.advance(120_000);
    expect([one.life.leads, two.life.leads]).toEqual([true, false]);
  });

  it('waits with giving back until the work has ended, and does not give back what it may have lost', async () => {
    const { timers, record, candidate } = openHouse();
    const quick = candidate('quick', { endsAfterMs: 3000 });
    await timers.advance(10);
    const stopping = quick.election.stop();
    await timers.advance(2999);
    expect(record().holderIdentity).toBe('quick');
    await timers.advance(1);
    await stopping;
    expect(record().holderIdentity).toBe('');
    const slow = candidate('slow', { endsAfterMs: 26_000 });
    await timers.advance(10);
    const end = slow.election.stop();
    await timers.advance(26_000);
    await end;
    expect(record().holderIdentity).toBe('slow');
  });

  it('says that a lease is lost as soon as it is, and not while it is held', async () => {
    const { timers, leases, candidate } = openHouse();
    const one = candidate('one', { endsAfterMs: 60_000 });
    await timers.advance(500);
    one.client.line = 'refused';
    await timers.advance(23_000);
    expect([one.life.leads, one.life.lost]).toEqual([true, false]);
    await timers.advance(1_000);
    expect([one.life.leads, one.life.lost]).toEqual([false, true]);
    leases.objects.clear();
    const robbed = candidate('robbed', { endsAfterMs: 60_000 });
    await timers.advance(500);
    const lease = leases.objects.get('controller');
    if (lease)
      leases.objects.set('controller', { ...lease, metadata: { ...lease.metadata, resourceVersion: '99' }, spec: { holderIdentity: 'x' } });
    await timers.advance(10_000);
    expect([robbed.life.leads, robbed.life.lost]).toEqual([false, true]);
    leases.objects.clear();
    const leaving = candidate('leaving', { endsAfterMs: 60_000 });
    await timers.advance(10);
    void leaving.election.stop();
    await timers.advance(23_900);
    expect([leaving.life.leads, leaving.life.lost]).toEqual([false, false]);
    await timers.advance(100);
    expect(leaving.life.lost).toBe(true);
  });

  it('makes a lease anew that somebody deleted, and nobody leads beside it meanwhile', async () => {
    const { timers, leases, record, candidate } = openHouse();
    const one = candidate('one');
    await timers.advance(100);
    const two = candidate('two');
    await timers.advance(60_000);
    leases.objects.clear();
    await timers.advance(1);
    for (let second = 0; second < 60; second += 1) {
      await timers.advance(1000);
      expect([one.life.leads, two.life.leads]).toEqual([true, false]);
    }
    expect([record().holderIdentity, one.life.times]).toEqual(['one', 1]);
    one.client.line = 'refused';
    leases.objects.clear();
    await timers.advance(90_000);
    expect([one.life.leads, two.life.leads]).toEqual([false, true]);
  });

  it('does not lead twice at once where the work is slow to end', async () => {
    const { timers, candidate } = openHouse();
    const one = candidate('one', { endsAfterMs: 60_000 });
    await timers.advance(10);
    one.client.line = 'refused';
    await timers.advance(30_000);
    one.client.line = 'open';
    await timers.advance(50_000);
    expect(one.life.times).toBe(1);
    await timers.advance(10_000);
    expect(one.life.times).toBe(2);
  });

  it('gives the lease back and contends again where its work ends or fails', async () => {
    let times = 0;
    const { timers, record, candidate } = openHouse();
    const one = candidate('one', {
      lead: () => {
        times += 1;
        return Promise.reject(new Error('broken'));
      },
    });
    await timers.advance(10);
    expect(times).toBe(1);
    expect(record().holderIdentity).toBe('');
    await timers.advance(2000);
    expect(times).toBe(2);
    await one.election.stop();
  });

  it('asks little: one request per renewal', async () => {
    const { timers, candidate } = openHouse();
    const one = candidate('one');
    await timers.advance(100_000);
    expect(one.client.requests).toBeLessThanOrEqual(12);
  });

  it('does not let its renewals wait behind other calls', async () => {
    const { timers, candidate } = openHouse();
    const one = candidate('one');
    await timers.advance(60_000);
    await one.election.stop();
    expect([...one.client.isUrgent]).toEqual([true]);
  });

  it('survives a short while without an answer, and tries again sooner than it renews', async () => {
    const { timers, candidate } = openHouse();
    const one = candidate('one');
    await timers.advance(9_000);
    one.client.line = 'silent';
    await timers.advance(8_000);
    one.client.line = 'open';
    await timers.advance(60_000);
    expect([one.life.leads, one.life.times]).toEqual([true, 1]);
  });

  it('waits for the lease of one that was killed to run out, unless it is known to have ended', async () => {
    const { timers, record, candidate } = openHouse();
    const one = candidate('one');
    await timers.advance(100);
    // Killed: nothing that it asks arrives any more, and nothing was given back.
    one.client.line = 'refused';
    const stranger = candidate('stranger', { hasEnded: (identity) => identity !== 'one' });
    await timers.advance(29_000);
    expect(stranger.life.leads).toBe(false);
    await stranger.election.stop();
    const neighbour = candidate('neighbour', { hasEnded: (identity) => identity === 'one' });
    await timers.advance(10);
    expect(neighbour.life.leads).toBe(true);
    expect(record()).toMatchObject({ holderIdentity: 'neighbour', leaseTransitions: 1 });
  });

  it('refuses times that are not safe', () => {
    const { candidate } = openHouse();
    const safe = { leaseDurationMs: 30_000, renewDeadlineMs: 24_000, renewMs: 10_000, retryMs: 2000 };
    const unsafe = [{ renewDeadlineMs: 30_000 }, { renewMs: 20_000 }, { renewMs: 1000 }, { retryMs: 0 }];
    for (const change of unsafe) {
      expect(() => candidate('one', { timing: { ...safe, ...change } })).toThrow('retry <= renewal < renew deadline < duration');
    }
  });

  it('never has two leaders, whatever happens to the lines, and has one again when they are open', async () => {
    const change = fc.record({
      who: fc.nat(2),
      line: fc.constantFrom<Line>('open', 'refused', 'silent', 'answers lost'),
      delayMs: fc.constantFrom(0, 5, 700, 3000, 6000),
      afterMs: fc.nat(24_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        const { timers, candidate } = openHouse();
        const candidates = ['one', 'two', 'three'].map((identity) => candidate(identity));
        const watch = async (milliseconds: number): Promise<void> => {
          for (let passed = 0; passed < milliseconds; passed += 250) {
            await timers.advance(250);
            const leaders = candidates.filter(({ life, election }) => life.leads || election.isLeading());
            if (leaders.length > 1) throw new Error(`${leaders.length} lead at once`);
          }
        };
        for (const { who, line, delayMs, afterMs } of changes) {
          const client = candidates[who]?.client;
          if (client) Object.assign(client, { line, delayMs });
          await watch(afterMs);
        }
        for (const { client } of candidates) Object.assign(client, { line: 'open', delayMs: 0 });
        await watch(75_000);
        expect(candidates.filter(({ life }) => life.leads)).toHaveLength(1);
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});
