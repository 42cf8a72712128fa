import { describe, expect, it } from 'vitest';
import { encodeStatusMessage } from './grpc-status.ts';
import { parseGrpcTimeout } from './grpc-timeout.ts';

describe('encodeStatusMessage', () => {
  it.each([
    ['plain text', 'plain text'],
    ['100%', '100%25'],
    ['ü\r\nx', '%C3%BC%0D%0Ax'],
    ['😀', '%F0%9F%98%80'],
    ['\ud800', '%EF%BF%BD'],
  ])('writes %j as %s', (message, encoded) => {
    expect(encodeStatusMessage(message)).toBe(encoded);
  });

  it('shortens what no client would accept as a header', () => {
    expect(encodeStatusMessage('x'.repeat(100_000)).length).toBeLessThan(5_000);
  });
});

describe('parseGrpcTimeout', () => {
  it.each([
    ['1S', 1_000],
    ['250m', 250],
    ['1500u', 2],
    ['1n', 1],
    ['0S', 1],
    ['2M', 120_000],
    ['99999999H', 2 ** 31 - 1],
    [undefined, undefined],
  ])('reads %s as %s ms', (header, expected) => {
    expect(parseGrpcTimeout(header)).toBe(expected);
  });

  it.each(['', '1', 'S', '1s', '-1S', '1.5S', '123456789S', '1S, 2S'])('refuses %j', (header) => {
    expect(() => parseGrpcTimeout(header)).toThrow(/grpc-timeout/);
  });
});
