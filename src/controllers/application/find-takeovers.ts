import { keyOf } from '../../engine/index.ts';
import { inClusterServer, type AppProject } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { Problem } from './check-spec.ts';

/** How many are named; who has more has other worries. */
const namedMax = 3;

interface TakeoverInput {
  readonly project: AppProject;
  readonly cluster: { readonly server: string };
  readonly desired: readonly KubeObject[];
  /** Of the control plane. */
  readonly namespace: string;
}

/**
 * Warns of an application that writes what decides who may do what here: whoever may change its sources may do anything then, and that may
 * not be what was meant when its project allowed it. Nobody is warned about the project `default`, which is there for those who may do all.
 */
export function describeTakeovers({ project, cluster, desired, namespace }: TakeoverInput): readonly Problem[] {
  const name = project.metadata.name ?? '';
  if (cluster.server !== inClusterServer || name === 'default') return [];
  const own = desired.filter((object) => isOfControlPlane(object, namespace)).map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`);
  if (own.length === 0) return [];
  const named = own.slice(0, namedMax).join(', ') + (own.length > namedMax ? ` and ${own.length - namedMax} more` : '');
  const message = `Project ${name} lets this application change the control plane itself: ${named}`;
  return [{ type: 'ControlPlaneWarning', message }];
}

function isOfControlPlane(object: KubeObject, controlNamespace: string): boolean {
  const { group, kind, namespace, name } = keyOf(object);
  if (group === 'apiextensions.k8s.io') return name.endsWith('.argoproj.io');
  if (namespace !== controlNamespace) return false;
  if (group === '') return kind === 'Secret' || (kind === 'ConfigMap' && name.startsWith('argocd-'));
  return (group === 'argoproj.io' && kind === 'AppProject') || group === 'rbac.authorization.k8s.io';
}
