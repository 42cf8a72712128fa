import { describe, expect, it } from 'vitest';
import { AnonymousRate } from './anonymous-rate.ts';

const limits = { anonymousCallsPerSecondMax: 2, anonymousLocalCallsPerSecondMax: Infinity };

describe('the rate of calls without signing in (DOS-06)', () => {
  it('allows a burst, then so many a second, for each address apart', () => {
    const rate = new AnonymousRate(limits);
    for (let call = 0; call < 20; call++) rate.count('192.0.2.1', 0);
    expect(() => rate.count('192.0.2.1', 0)).toThrow('too many calls without signing in');
    rate.count('192.0.2.2', 0);
    rate.count('192.0.2.1', 1_000);
    rate.count('192.0.2.1', 1_000);
    expect(() => rate.count('192.0.2.1', 1_000)).toThrow('too many calls without signing in');
  });

  it('saves up no more than one burst', () => {
    const rate = new AnonymousRate(limits);
    rate.count('192.0.2.1', 0);
    for (let call = 0; call < 20; call++) rate.count('192.0.2.1', 3_600_000);
    expect(() => rate.count('192.0.2.1', 3_600_000)).toThrow('too many calls without signing in');
  });

  it('leaves this machine alone, unless told otherwise', () => {
    const rate = new AnonymousRate(limits);
    for (let call = 0; call < 1_000; call++) rate.count('127.0.0.1', 0);
    const strict = new AnonymousRate({ ...limits, anonymousLocalCallsPerSecondMax: 1 });
    for (let call = 0; call < 10; call++) strict.count('::ffff:127.0.0.1', 0);
    expect(() => strict.count('::ffff:127.0.0.1', 0)).toThrow('too many calls without signing in');
  });
});
