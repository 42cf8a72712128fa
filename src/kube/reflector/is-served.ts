import type { KubeApi, ResourceType } from '../kube-api.ts';

/** Whether the API says that it serves a kind. A group whose server does not answer is given the benefit of the doubt. */
export async function isServed(api: KubeApi, type: ResourceType, signal: AbortSignal): Promise<boolean> {
  const { resources, failures } = await api.discover({ fresh: true, signal });
  if (failures.some(({ group, version }) => group === type.group && (version === type.version || version === ''))) return true;
  return resources.some(({ group, version, plural }) => group === type.group && version === type.version && plural === type.plural);
}
