import { ApiError, Code } from '../../../base/index.ts';
import type { Transport } from '../../call.ts';
import { admit } from './admit.ts';
import { notify, type Core } from './core.ts';
import type { Exchange } from './exchange.ts';
import type { Method } from './method-table.ts';
import { ServerCall } from './server-call.ts';

export interface OpenCallOptions {
  readonly method: Method;
  readonly transport: Transport;
  readonly token: string | undefined;
  readonly timeoutMs: number | undefined;
}

/** Begins a call: finds out who makes it, and whether they may. Those who may not are counted like any other call. */
export async function openCall(core: Core, exchange: Exchange, options: OpenCallOptions): Promise<ServerCall> {
  try {
    const caller = await admit(core, options.method, options.token);
    if (caller !== undefined) exchange.serve();
    return new ServerCall(core, exchange, { ...options, caller });
  } catch (error) {
    const { service, name: method } = options.method.schema;
    const labels = { transport: options.transport, service, method };
    notify(core, core.hooks.onCallStarted, labels);
    notify(core, core.hooks.onCallFinished, { ...labels, code: error instanceof ApiError ? error.code : Code.Internal, durationMs: 0 });
    throw error;
  }
}
