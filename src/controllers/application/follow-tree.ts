import type { Cluster } from '../../clusters/index.ts';
import { applicationInstanceName, readApplication, type Application } from '../../model/index.ts';
import { findProject, resolveCluster } from './check-spec.ts';
import type { ControllerContext } from './controller-context.ts';

/** Calls the listener whenever the tree of an application may have changed: what lives, the application itself, or where it goes. */
export function followTree(context: ControllerContext, application: Application, listener: () => void): () => void {
  const instance = applicationInstanceName(application, context.namespace);
  const { namespace = context.namespace, name = '' } = application.metadata;
  let current = application;
  let followed: { readonly cluster: Cluster; readonly end: () => void } | undefined;

  const follow = (): void => {
    const cluster = resolveCluster(context, current);
    if (followed?.cluster === cluster) return;
    followed?.end();
    followed = typeof cluster === 'string' ? undefined : { cluster, end: listenTo(cluster) };
  };
  const listenTo = (cluster: Cluster): (() => void) =>
    cluster.cache.onChange(({ instances, namespaces, kinds }) => {
      const isOrphan = (): boolean => namespaces.has(current.spec.destination.namespace ?? '') && showsOrphans(context, current);
      if (kinds || instances.has(instance) || isOrphan()) listener();
    }, 'soon');

  follow();
  const ends = [
    context.applications.subscribe(({ type, object }) => {
      if (object.metadata.name !== name || object.metadata.namespace !== namespace) return;
      if (type !== 'removed') current = readApplication(object);
      follow();
      listener();
    }),
    context.clusters.onChange(() => {
      follow();
      listener();
    }),
  ];
  return () => {
    followed?.end();
    for (const end of ends) end();
  };
}

function showsOrphans(context: ControllerContext, { spec }: Application): boolean {
  return findProject(context, spec.project || 'default')?.spec.orphanedResources !== undefined;
}
