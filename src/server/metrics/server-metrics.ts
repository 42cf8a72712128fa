import { Code } from '../../base/index.ts';
import type { CallLabels, CallResult, ServerHooks } from '../hooks.ts';
import { addGrpcMetrics } from './grpc-metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { createRegistry, type Registry } from './registry.ts';

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const codeNames = new Map<number, string>(Object.entries(Code).map(([name, code]) => [code, name]));

export interface ServerMetrics {
  /** For the server to call. */
  readonly hooks: ServerHooks;
  countLogin(result: string): void;
  countUncaughtError(kind: 'exception' | 'rejection'): void;
  /** For what others count. */
  readonly registry: Registry;
  /** The text that Prometheus reads. */
  render(): string;
}

export function createServerMetrics(version: string): ServerMetrics {
  const registry = createRegistry();
  const hooks = { ...addCallMetrics(registry), ...addConnectionMetrics(registry) };
  const logins = registry.counter({ name: 'fairway_logins_total', help: 'Login attempts by result.', labels: ['result'] });
  const loginRequests = registry.counter({ name: 'argocd_login_request_total', help: 'Login requests by outcome.', labels: ['status'] });
  for (const status of ['success', 'failure']) loginRequests.add(0, status);
  const uncaughtErrors = registry.counter({
    name: 'fairway_uncaught_errors_total',
    help: 'Errors that nothing caught; each is a bug and is in the log.',
    labels: ['kind'],
  });
  for (const kind of ['exception', 'rejection']) uncaughtErrors.add(0, kind);
  for (const name of ['fairway_build_info', 'argocd_info'])
    registry.read({ name, help: 'The running version.', type: 'gauge', label: 'version', value: () => new Map([[version, 1]]) });
  addProcessMetrics(registry);

  return {
    hooks,
    countLogin(result) {
      logins.add(1, result);
      loginRequests.add(1, result === 'success' ? 'success' : 'failure');
    },
    countUncaughtError: (kind) => uncaughtErrors.add(1, kind),
    registry,
    render: () => registry.render(),
  };
}

function addCallMetrics(registry: Registry): ServerHooks {
  const calls = registry.counter({
    name: 'fairway_requests_total',
    help: 'Answered API calls.',
    labels: ['transport', 'service', 'method', 'code'],
  });
  const durations = registry.histogram({
    name: 'fairway_request_duration_seconds',
    help: 'Time from a call to the end of its answer.',
    labels: ['transport', 'service', 'method'],
    buckets: durationBuckets,
  });
  const routes = registry.counter({
    name: 'fairway_routes_total',
    help: 'Answered requests to pages beside the API.',
    labels: ['path', 'status'],
  });
  const internalErrors = registry.counter({
    name: 'fairway_internal_errors_total',
    help: 'Requests that failed for a reason of our own; each is in the log.',
    labels: [],
  });
  let inProgress = 0;
  registry.read({ name: 'fairway_requests_in_progress', help: 'API calls being answered.', type: 'gauge', value: () => inProgress });

  const grpc = addGrpcMetrics(registry);
  const recorders = new WeakMap<CallLabels, (result: CallResult) => void>();
  const createRecorder = ({ transport, service, method }: CallLabels): ((result: CallResult) => void) => {
    const duration = durations.at(transport, service, method);
    const success = calls.at(transport, service, method, 'OK');
    return ({ code, durationMs }) => {
      if (code === Code.OK) success.add(1);
      else calls.add(1, transport, service, method, codeNames.get(code) ?? 'Unknown');
      duration.observe(durationMs / 1000);
    };
  };

  return {
    onCallStarted(labels) {
      inProgress += 1;
      grpc.onCallStarted(labels);
    },
    onCallFinished(labels, result) {
      inProgress -= 1;
      grpc.onCallFinished(labels, result);
      let record = recorders.get(labels);
      if (record === undefined) recorders.set(labels, (record = createRecorder(labels)));
      record(result);
    },
    onRouteFinished: ({ path, status }) => routes.add(1, path, String(status)),
    onInternalError: () => internalErrors.add(1),
  };
}

function addConnectionMetrics(registry: Registry): ServerHooks {
  const bytes = registry.counter({ name: 'fairway_connection_bytes_total', help: 'Bytes of closed connections.', labels: ['direction'] });
  const refusals = registry.counter({ name: 'fairway_refused_total', help: 'Connections and requests turned away.', labels: ['reason'] });
  let open = 0;
  registry.read({ name: 'fairway_connections', help: 'Open connections.', type: 'gauge', value: () => open });

  return {
    onConnectionOpened: () => void (open += 1),
    onConnectionClosed({ bytesRead, bytesWritten }) {
      open -= 1;
      bytes.add(bytesRead, 'read');
      bytes.add(bytesWritten, 'written');
    },
    onRefused: (reason) => refusals.add(1, reason),
  };
}
