import type { AddressInfo } from 'node:net';
import type { ServerMetrics } from './server-metrics.ts';

export interface MetricsListener {
  readonly port: number;
  close(): void;
}

/** A plain port of its own for those who collect metrics: whoever can reach it may read it. */
export async function startMetricsListener(options: {
  readonly host: string;
  readonly port: number;
  readonly metrics: ServerMetrics;
  readonly isHealthy: () => boolean;
}): Promise<MetricsListener> {
  const { host, port, metrics, isHealthy } = options;
  // Only who asks for this port pays for loading it.
  const { createServer } = await import('node:http');
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000, keepAliveTimeout: 60_000 }, (request, response) => {
    const path = (request.url ?? '').split('?')[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') response.writeHead(405, { allow: 'GET, HEAD' }).end();
    else if (path === '/metrics')
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(metrics.render());
    else if (path === '/healthz') response.writeHead(isHealthy() ? 200 : 503).end(isHealthy() ? 'ok\n' : '');
    else response.writeHead(404).end();
  });
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
