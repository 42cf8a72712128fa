import type { ReactElement } from 'react';
import { useManifest } from '../resource/use-resource.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { LogView } from './log-view.tsx';

/** The log of a pod, or of all pods below a resource. */
export function ResourceLogs({ resource }: { readonly resource: ShownResource }): ReactElement {
  const { data } = useManifest(resource);
  const { group, kind, namespace, name } = resource;
  const target = kind === 'Pod' && group === '' ? { namespace, podName: name } : { namespace, group, kind, resourceName: name };
  return <LogView target={target} containers={data === undefined ? [] : listContainers(data)} />;
}

/** The log of all pods of the application. */
export function ApplicationLogs(): ReactElement {
  return <LogView target={{}} containers={[]} />;
}

interface PodSpec {
  readonly containers?: readonly { readonly name?: string }[];
  readonly initContainers?: readonly { readonly name?: string }[];
}

/** Of a pod, or of what makes pods. */
function listContainers(json: string): readonly string[] {
  const { spec } = JSON.parse(json) as { spec?: PodSpec & { template?: { spec?: PodSpec } } };
  const pod = spec?.template?.spec ?? spec;
  return [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].flatMap(({ name }) => (name === undefined ? [] : [name]));
}
