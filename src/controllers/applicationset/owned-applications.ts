import { readApplication, type Application, type ApplicationSet } from '../../model/index.ts';
import { controllerOf, type KubeObject } from '../../objects/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';

/** The applications of an application set, by name. */
export function ownedApplications(
  { applications }: Pick<ApplicationSetContext, 'applications'>,
  { metadata }: ApplicationSet,
): ReadonlyMap<string, Application> {
  const owned: [string, Application][] = [];
  for (const object of applications.values()) {
    if (object.metadata.namespace !== metadata.namespace || ownerSetOf(object)?.uid !== metadata.uid) continue;
    owned.push([object.metadata.name ?? '', readOnce(object)]);
  }
  return new Map(owned.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The application set that an application belongs to. */
export function ownerSetOf(object: KubeObject): { readonly name: string; readonly uid: string } | undefined {
  const owner = controllerOf(object.metadata);
  return owner?.kind === 'ApplicationSet' && owner.apiVersion.startsWith('argoproj.io/') ? owner : undefined;
}

/** The same application for the same version of it, so that what is made of it is made once. */
const known = new WeakMap<KubeObject, Application>();

export function readOnce(object: KubeObject): Application {
  let application = known.get(object);
  if (application === undefined) {
    application = readApplication(object);
    known.set(object, application);
  }
  return application;
}
