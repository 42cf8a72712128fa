import { Code } from '../../base/index.ts';
import { methods } from '../../contract/index.ts';
import type { CallLabels, ServerHooks } from '../hooks.ts';
import type { Registry } from './registry.ts';

const codeNames = new Map<number, string>(Object.entries(Code).map(([name, code]) => [code, name]));

/**
 * Calls under the names that dashboards of gRPC servers know. As with Argo CD, whose other transports are translated into gRPC, those
 * of all transports count.
 */
export function addGrpcMetrics(registry: Registry): Required<Pick<ServerHooks, 'onCallStarted' | 'onCallFinished'>> {
  const labels = ['grpc_type', 'grpc_service', 'grpc_method'];
  const started = registry.counter({ name: 'grpc_server_started_total', help: 'Calls that began.', labels });
  const handled = registry.counter({
    name: 'grpc_server_handled_total',
    help: 'Calls that ended, by their codes.',
    labels: [...labels, 'grpc_code'],
  });
  const streams = new Set(methods.filter(({ serverStreaming }) => serverStreaming).map(({ service, name }) => `${service}/${name}`));
  const counts = new WeakMap<CallLabels, ReturnType<typeof create>>();
  const create = ({ service, method }: CallLabels) => {
    const values = [streams.has(`${service}/${method}`) ? 'server_stream' : 'unary', service, method] as const;
    return { values, started: started.at(...values), succeeded: handled.at(...values, 'OK') };
  };
  const countsOf = (call: CallLabels) => {
    let found = counts.get(call);
    if (found === undefined) counts.set(call, (found = create(call)));
    return found;
  };
  return {
    onCallStarted: (call) => countsOf(call).started.add(1),
    onCallFinished(call, { code }) {
      const { values, succeeded } = countsOf(call);
      if (code === Code.OK) succeeded.add(1);
      else handled.add(1, ...values, codeNames.get(code) ?? 'Unknown');
    },
  };
}
