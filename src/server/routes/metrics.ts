import { BlockList } from 'node:net';
import { ApiError } from '../../base/index.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../http.ts';
import type { ServerMetrics } from '../metrics/server-metrics.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * On the main port the figures are for whoever is on this machine or signed in: they tell who calls what, and how often.
 * `authenticate` says whether a request comes from someone signed in.
 */
export function createGuardedMetricsRoute(metrics: ServerMetrics, authenticate: (request: HttpRequest) => Promise<boolean>): HttpHandler {
  const show = createMetricsRoute(metrics);
  return async (request) => {
    if (isDirectLoopback(request) || (await isSignedIn(request, authenticate))) return show(request);
    return { status: 401, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'sign in to read the metrics\n' };
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

async function isSignedIn(request: HttpRequest, authenticate: (request: HttpRequest) => Promise<boolean>): Promise<boolean> {
  try {
    return await authenticate(request);
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
