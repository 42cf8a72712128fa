import { describe, expect, it } from 'vitest';
import { checkAddress, checkedLookup, isOwnMachine } from './egress.ts';

describe('SSRF-01: an address', () => {
  it.each(['169.254.169.254', '169.254.0.1', 'fe80::1', 'fd00:ec2::254', '::ffff:169.254.169.254'])(
    '%s is never connected to',
    (address) => {
      for (const allowOwnMachine of [true, false]) expect(() => checkAddress(address, { allowOwnMachine })).toThrow('local link');
    },
  );

  it.each(['127.0.0.1', '127.9.9.9', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
    expect(() => checkAddress(address, { allowOwnMachine: false })).toThrow('this machine');
    expect(() => checkAddress(address, { allowOwnMachine: true })).not.toThrow();
  });

  it.each(['10.0.0.1', '192.168.1.1', '172.16.0.1', '8.8.8.8', 'fd12::1', '2001:db8::1'])('%s is somewhere else', (address) => {
    expect(() => checkAddress(address, { allowOwnMachine: false })).not.toThrow();
  });

  it('is looked up once for several, and handed only to those who may connect to it', async () => {
    const lookUp = (allowOwnMachine: boolean): Promise<unknown> =>
      new Promise((resolve) =>
        checkedLookup({ allowOwnMachine })('localhost', { all: true }, (error, addresses) => resolve(error?.message ?? addresses)),
      );
    const [allowed, refused] = await Promise.all([lookUp(true), lookUp(false)]);
    expect(allowed).toContainEqual({ address: expect.stringMatching(/^(?:127\.|::1$)/) as string, family: expect.any(Number) as number });
    expect(refused).toContain('this machine');
  });

  it('is this machine by name as well', () => {
    expect(['localhost', 'LOCALHOST', 'a.localhost', '[::1]', '127.1.2.3'].every(isOwnMachine)).toBe(true);
    expect(['localhost.example.com', 'example.com', '10.0.0.1'].some(isOwnMachine)).toBe(false);
  });
});
