import { Code } from '../../base/index.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { createRegistry } from './registry.ts';

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const codeNames = new Map<number, string>(Object.entries(Code).map(([name, code]) => [code, name]));

/** One answered call. `service` and `method` are names of the contract; anything else would make a series of its own. */
export interface RequestSample {
  readonly transport: 'grpc' | 'grpc-web' | 'rest';
  readonly service: string;
  readonly method: string;
  readonly code: Code;
  readonly durationMs: number;
}

export interface ServerMetrics {
  countRequest(sample: RequestSample): void;
  countLogin(result: string): void;
  countUncaughtError(kind: 'exception' | 'rejection'): void;
  /** The text that Prometheus reads. */
  render(): string;
}

export interface ServerMetricsOptions {
  readonly version: string;
  /** Open connections, by kind. */
  readonly connections: () => ReadonlyMap<string, number>;
}

export function createServerMetrics({ version, connections }: ServerMetricsOptions): ServerMetrics {
  const registry = createRegistry();
  const requests = registry.counter({
    name: 'fairway_requests_total',
    help: 'Answered API calls.',
    labels: ['transport', 'service', 'method', 'code'],
  });
  const durations = registry.histogram({
    name: 'fairway_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labels: ['transport', 'service', 'method'],
    buckets: durationBuckets,
  });
  const logins = registry.counter({ name: 'fairway_logins_total', help: 'Login attempts by result.', labels: ['result'] });
  const uncaughtErrors = registry.counter({
    name: 'fairway_uncaught_errors_total',
    help: 'Errors that nothing caught; each is a bug and is in the log.',
    labels: ['kind'],
  });
  registry.read({ name: 'fairway_connections', help: 'Open connections.', type: 'gauge', label: 'protocol', value: connections });
  registry.read({
    name: 'fairway_build_info',
    help: 'The running version.',
    type: 'gauge',
    label: 'version',
    value: () => new Map([[version, 1]]),
  });
  addProcessMetrics(registry);

  return {
    countRequest({ transport, service, method, code, durationMs }) {
      requests.increment(transport, service, method, codeNames.get(code) ?? 'Unknown');
      durations.observe(durationMs / 1000, transport, service, method);
    },
    countLogin: (result) => logins.increment(result),
    countUncaughtError: (kind) => uncaughtErrors.increment(kind),
    render: () => registry.render(),
  };
}
