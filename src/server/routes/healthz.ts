import type { HttpHandler } from '../http.ts';

/** Tells a load balancer whether to send requests here. Anyone may ask, so it says nothing else. */
export function createHealthRoute(isHealthy: () => boolean): HttpHandler {
  return async () =>
    isHealthy() ? { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok\n' } : { status: 503 };
}
