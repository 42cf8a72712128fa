import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../base/index.ts';
import { statusError, StatusError } from '../../objects/index.ts';
import { ConnectionError } from './connection-error.ts';
import { planRetry, withRetries } from './retry.ts';

const limits = { retriesMax: 3, retryDelayMs: 100, retryAfterMaxMs: 30_000 };
const busy = (retryAfterSeconds?: number) =>
  statusError('TooManyRequests', 'busy', retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
const lost = new ConnectionError(Code.Unavailable, 'lost', { transient: true });
const untrusted = new ConnectionError(Code.Unavailable, 'untrusted', { transient: false });

describe('retries', () => {
  it.each([
    ['a busy server, unsafe', busy(), false, 0, 100],
    ['a busy server that says when', busy(2), false, 0, 2000],
    ['a busy server, later', busy(), false, 2, 400],
    ['a busy server, too often', busy(), false, 3, undefined],
    ['a busy server for too long', busy(31), true, 0, undefined],
    ['a lost connection, safe', lost, true, 1, 200],
    ['a lost connection, unsafe', lost, false, 0, undefined],
    ['a certificate', untrusted, true, 0, undefined],
    ['a failing server, safe', statusError('InternalError', 'x'), true, 0, 100],
    ['a failing server, unsafe', statusError('InternalError', 'x'), false, 0, undefined],
    ['a refusal', statusError('NotFound', 'x'), true, 0, undefined],
    [
      'a server that goes away',
      new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 503, details: { retryAfterSeconds: 1 } }),
      true,
      0,
      1000,
    ],
    ['bad data', new ApiError(Code.DataLoss, 'x'), true, 0, undefined],
  ])('plan for %s', (_name, error, safe, retries, expected) => {
    expect(planRetry(error, retries, { safe, limits, random: () => 0 })).toBe(expected);
  });

  it('spread out, never earlier than asked', () => {
    expect(planRetry(lost, 0, { safe: true, limits, random: () => 0.999 })).toBeCloseTo(199.9);
    expect(planRetry(busy(4), 0, { safe: true, limits, random: () => 0.5 })).toBe(4500);
  });

  it('end with the caller', async () => {
    const controller = new AbortController();
    const waiting = withRetries({ safe: true, limits, random: () => 0, signal: controller.signal }, () => {
      setImmediate(() => controller.abort(new Error('enough')));
      return Promise.reject(busy(20));
    });
    await expect(waiting).rejects.toThrow('enough');
  });
});
