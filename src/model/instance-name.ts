/**
 * The name by which an application marks its objects: its own name in the namespace of the control plane, and with its namespace in front
 * elsewhere.
 */
export function applicationInstanceName({ metadata }: Named, controlPlaneNamespace: string): string {
  const { name = '', namespace = '' } = metadata;
  return namespace === '' || namespace === controlPlaneNamespace ? name : `${namespace}_${name}`;
}

/** `<namespace>/<name>`, which is how messages name an application. */
export function applicationQualifiedName({ metadata }: Named): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** The application that an instance name stands for. */
export function parseInstanceName(
  instanceName: string,
  controlPlaneNamespace: string,
): { readonly namespace: string; readonly name: string } {
  const at = instanceName.indexOf('_');
  if (at < 0) return { namespace: controlPlaneNamespace, name: instanceName };
  return { namespace: instanceName.slice(0, at), name: instanceName.slice(at + 1) };
}

interface Named {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}
