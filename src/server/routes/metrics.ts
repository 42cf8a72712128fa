import { BlockList } from 'node:net';
import { ApiError } from '../../base/index.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../http.ts';
import type { ServerMetrics } from '../metrics/server-metrics.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** What somebody may know of the metrics who does not ask from this machine. */
export type MetricsReader = 'stranger' | 'denied' | 'allowed';

type FindReader = (request: HttpRequest) => Promise<MetricsReader>;

/**
 * On the main port the figures are for whoever is on this machine, or may see everything that they name. `findReader` says which a request
 * comes from.
 */
export function createGuardedMetricsRoute(metrics: ServerMetrics, findReader: FindReader): HttpHandler {
  const show = createMetricsRoute(metrics);
  return async (request) => {
    const reader = isDirectLoopback(request) ? 'allowed' : await readerOf(request, findReader);
    if (reader === 'allowed') return show(request);
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    if (reader === 'stranger') return { status: 401, headers, body: 'sign in to read the metrics\n' };
    return { status: 403, headers, body: 'the metrics are for those who may see everything that they name\n' };
  };
}

export function createMetricsRoute(metrics: ServerMetrics): HttpHandler {
  return async (): Promise<HttpReply> => ({
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    body: metrics.render(),
  });
}

/** A reverse proxy on this machine makes every stranger look local, and says so in these headers. */
function isDirectLoopback({ remoteAddress, headers }: HttpRequest): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined) return false;
  const address = remoteAddress.replace(/^::ffff:/, '');
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

async function readerOf(request: HttpRequest, findReader: FindReader): Promise<MetricsReader> {
  try {
    return await findReader(request);
  } catch (error) {
    if (error instanceof ApiError) return 'stranger';
    throw error;
  }
}
