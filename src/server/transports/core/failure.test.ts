import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../../base/index.ts';
import { statusError } from '../../../objects/index.ts';
import type { Core } from './core.ts';
import type { Exchange } from './exchange.ts';
import { toApiError } from './failure.ts';

function fail(error: unknown): { readonly code: Code; readonly message: string; readonly said: readonly string[] } {
  const said: string[] = [];
  const log = Object.fromEntries(['warn', 'error'].map((level) => [level, (message: string) => said.push(`${level}: ${message}`)]));
  const core = { log, hooks: { onInternalError: () => said.push('counted') } } as unknown as Core;
  const { code, message } = toApiError(core, { verb: 'GET', path: '/a' } as Exchange, error);
  return { code, message, said };
}

describe('What a caller sees of a failure', () => {
  it('is what a handler says, and an error in the log where that is a fault of ours', () => {
    expect(fail(new ApiError(Code.NotFound, 'gone'))).toEqual({ code: Code.NotFound, message: 'gone', said: [] });
    expect(fail(new ApiError(Code.Internal, 'broken')).said).toEqual(['error: a request failed']);
  });

  it('is what a cluster says that cannot answer', () => {
    const internal = statusError('InternalError', 'etcdserver: leader changed');
    expect(fail(internal)).toEqual({ code: Code.Internal, message: 'etcdserver: leader changed', said: ['warn: a request failed'] });
    expect(fail(statusError('TooManyRequests', 'slow down'))).toEqual({ code: Code.ResourceExhausted, message: 'slow down', said: [] });
  });

  it('is only a number where nobody found words', () => {
    for (const error of [new TypeError('x is not a function'), statusError('Unauthorized', 'who are you')]) {
      const { code, message, said } = fail(error);
      expect({ code, said }).toEqual({ code: Code.Internal, said: ['error: a request failed unexpectedly', 'counted'] });
      expect(message).toMatch(/^internal error \(request id [-0-9a-f]{36}\)$/);
    }
  });
});
