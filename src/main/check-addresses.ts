import { createServer } from 'node:net';
import { formatAddress, type Address, type UpOptions } from '../cli/index.ts';
import { describeSystemError, StartError } from './start-error.ts';

/**
 * Throws StartError where somebody else has an address that is to be listened on, where there is none such, or where both are the same:
 * the first is held while the second is tried.
 */
export async function checkAddresses({ listen, metricsListen }: Pick<UpOptions, 'listen' | 'metricsListen'>): Promise<void> {
  await using held = new AsyncDisposableStack();
  await holdAddress(listen, 'listen', held);
  if (metricsListen !== undefined) await holdAddress(metricsListen, 'metrics-listen', held);
}

/** Why an address could not be had, as a person is told. */
export function toListenError(error: unknown, address: Address, flag: 'listen' | 'metrics-listen'): StartError {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const advice = isTaken ? `; choose another with --${flag}, for example --${flag} 127.0.0.1:0` : '';
  const what = flag === 'listen' ? '' : ' for metrics';
  return new StartError(`cannot listen on ${formatAddress(address)}${what}: ${describeSystemError(error)}${advice}`);
}

async function holdAddress(address: Address, flag: 'listen' | 'metrics-listen', held: AsyncDisposableStack): Promise<void> {
  if (address.port === 0) return;
  const server = createServer((socket) => socket.destroy());
  try {
    const listening = Promise.withResolvers<void>();
    server.once('error', listening.reject).listen({ ...address, exclusive: true }, listening.resolve);
    await listening.promise;
  } catch (error) {
    throw toListenError(error, address, flag);
  }
  held.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
}
