/** What a path below `/k8s` asks for. */
export type KubernetesPath =
  | { readonly kind: 'root' }
  | { readonly kind: 'health'; readonly check: string }
  | { readonly kind: 'version' }
  /** `/api` and `/apis`. */
  | { readonly kind: 'groups'; readonly isCore: boolean }
  | { readonly kind: 'group'; readonly group: string }
  | { readonly kind: 'resources'; readonly group: string; readonly version: string }
  | { readonly kind: 'openApiIndex' }
  /** All kinds in one document of the older form. */
  | { readonly kind: 'openApiV2' }
  | { readonly kind: 'openApi'; readonly groupVersion: string }
  | ResourcePath;

export interface ResourcePath {
  readonly kind: 'resource';
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

const HEALTH: readonly string[] = ['healthz', 'livez', 'readyz'];
/** Below one namespace these are parts of the Namespace itself and no kinds of resources. */
const NAMESPACE_PARTS: readonly string[] = ['status', 'finalize'];

/** Undefined for what is no path of a Kubernetes API. */
export function parseKubernetesPath(path: string): KubernetesPath | undefined {
  const segments = decodeSegments(path);
  if (segments === undefined) return undefined;
  const [first, ...rest] = segments;
  if (first === undefined) return { kind: 'root' };
  if (HEALTH.includes(first)) return { kind: 'health', check: first };
  if (first === 'version' && rest.length === 0) return { kind: 'version' };
  if (first === 'openapi') return parseOpenApi(rest);
  if (first === 'api') return parseGroup('', rest);
  if (first !== 'apis') return undefined;
  const [group, ...below] = rest;
  return group === undefined ? { kind: 'groups', isCore: false } : parseGroup(group, below);
}

function decodeSegments(path: string): readonly string[] | undefined {
  try {
    const segments = path.split('/').filter((segment) => segment !== '');
    return segments.slice(1).map(decodeURIComponent);
  } catch {
    // Not a text in percent encoding: nothing has such a name.
    return undefined;
  }
}

function parseOpenApi([version, root, ...rest]: readonly string[]): KubernetesPath | undefined {
  if (version === 'v2' && root === undefined) return { kind: 'openApiV2' };
  if (version !== 'v3') return undefined;
  if (root === undefined) return { kind: 'openApiIndex' };
  if (root === 'api' && rest.length === 1) return { kind: 'openApi', groupVersion: rest.join('/') };
  return root === 'apis' && rest.length === 2 ? { kind: 'openApi', groupVersion: rest.join('/') } : undefined;
}

function parseGroup(group: string, [version, ...rest]: readonly string[]): KubernetesPath | undefined {
  if (version === undefined) return group === '' ? { kind: 'groups', isCore: true } : { kind: 'group', group };
  if (rest.length === 0) return { kind: 'resources', group, version };
  const [first = '', second, third, ...others] = rest;
  const isNamespaced =
    first === 'namespaces' && third !== undefined && !(group === '' && NAMESPACE_PARTS.includes(third) && others.length === 0);
  const [plural = '', name, ...parts] = isNamespaced ? [third, ...others] : rest;
  return {
    kind: 'resource',
    group,
    version,
    plural,
    namespace: isNamespaced ? second : undefined,
    name,
    subresource: parts.length === 0 ? undefined : parts.join('/'),
  };
}
