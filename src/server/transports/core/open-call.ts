import type { Caller } from '../../../access/index.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { Transport } from '../../call.ts';
import { admit } from './admit.ts';
import type { Core } from './core.ts';
import type { Exchange } from './exchange.ts';
import type { Method } from './method-table.ts';
import { ServerCall } from './server-call.ts';

export interface OpenCallOptions {
  readonly method: Method;
  readonly transport: Transport;
  readonly token: string | undefined;
  readonly timeoutMs: number | undefined;
}

/**
 * Begins a call: finds out who makes it, and whether they may. Those who may not are counted like any other call. At once
 * where the token is known already.
 */
export function openCall(core: Core, exchange: Exchange, options: OpenCallOptions): Promise<ServerCall> | ServerCall {
  try {
    const caller = admit(core, options.method, options.token);
    return caller instanceof Promise ? waitAndBegin(core, exchange, options, caller) : begin(core, exchange, options, caller);
  } catch (error) {
    throw countRefusal(core, options, error);
  }
}

async function waitAndBegin(
  core: Core,
  exchange: Exchange,
  options: OpenCallOptions,
  admitted: Promise<Caller | undefined>,
): Promise<ServerCall> {
  try {
    return begin(core, exchange, options, await admitted);
  } catch (error) {
    throw countRefusal(core, options, error);
  }
}

function begin(core: Core, exchange: Exchange, options: OpenCallOptions, caller: Caller | undefined): ServerCall {
  if (caller !== undefined) exchange.serve();
  else core.anonymousRate.count(exchange.remoteAddress, core.sweeper.nowMs);
  return new ServerCall(core, exchange, options, caller);
}

/** Returns the error, to be thrown. */
function countRefusal(core: Core, { method, transport }: OpenCallOptions, error: unknown): unknown {
  const labels = method.labels[transport];
  core.hooks.onCallStarted(labels);
  core.hooks.onCallFinished(labels, { code: error instanceof ApiError ? error.code : Code.Internal, durationMs: 0 });
  return error;
}
