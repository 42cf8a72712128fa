import { expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../../objects/index.ts';
import { viewOf } from '../view.ts';
import type { View } from '../view.ts';
import { planEndpoints } from './plan-endpoints.ts';

function pod(name: string, ports: readonly JsonObject[]): View {
  const spec = { nodeName: 'node', containers: [{ name: 'c', ports }] };
  const status = { podIP: '10.0.0.1', phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const metadata = { name, namespace: 'ns', uid: name };
  return viewOf('Pod', { apiVersion: 'v1', kind: 'Pod', metadata, spec, status } as unknown as KubeObject);
}

function service(ports: readonly JsonObject[]): View {
  const metadata = { name: 's', namespace: 'ns' };
  return viewOf('Service', { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports } } as unknown as KubeObject);
}

it('A port by name is that of the first pod that has it', () => {
  const pods = [pod('a', [{ name: 'web', containerPort: 80 }]), pod('b', [{ name: 'web', containerPort: 81 }])];
  const ports = [
    { name: 'one', port: 1, targetPort: 'web' },
    { name: 'two', port: 2, targetPort: 8080 },
    { name: 'three', port: 3, targetPort: 'nowhere' },
    { name: 'four', port: 4 },
  ];
  expect(planEndpoints(service(ports), pods).slice.ports.map(({ port }) => port)).toEqual([80, 8080, 3, 4]);
});

it('DOS-07: very many ports are looked up in the ports of very many pods at once', { timeout: 10_000 }, () => {
  const named = Array.from({ length: 100 }, (_unused, at) => ({ name: `p${at}`, containerPort: at + 1 }));
  const pods = Array.from({ length: 1_000 }, (_unused, at) => pod(`pod-${at}`, named));
  const ports = Array.from({ length: 20_000 }, (_unused, at) => ({ name: `s${at}`, port: at + 1, targetPort: 'nowhere' }));
  expect(planEndpoints(service(ports), pods).slice.ports).toHaveLength(ports.length);
});
