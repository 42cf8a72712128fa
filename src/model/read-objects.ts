import type { Application, AppProject } from '../contract/index.ts';
import { isJsonObject } from '../objects/index.ts';
import type { JsonValue, KubeObject } from '../objects/index.ts';
import { applicationType, appProjectType } from './resource-types.ts';
import type { CustomResourceType } from './resource-types.ts';

/**
 * An Application as the home API holds it. The API has checked it against its schema, so only what the schema cannot promise is looked at:
 * an object that was stored before the schema may lack its spec or its destination, and then has empty ones.
 */
export function readApplication(object: KubeObject): Application {
  const spec = objectOf(object['spec']);
  const project = typeof spec['project'] === 'string' ? spec['project'] : '';
  return { ...object, spec: { ...spec, destination: objectOf(spec['destination']), project } } as unknown as Application;
}

/** As readApplication. */
export function readProject(object: KubeObject): AppProject {
  return { ...object, spec: objectOf(object['spec']) } as unknown as AppProject;
}

/** The object that the home API takes: what the contract leaves out of an Application is its kind. */
export function applicationToObject(application: Application): KubeObject {
  return withKind(application, applicationType);
}

export function projectToObject(project: AppProject): KubeObject {
  return withKind(project, appProjectType);
}

function withKind(object: Application | AppProject, { group, version, kind }: CustomResourceType): KubeObject {
  return { ...(object as object), apiVersion: `${group}/${version}`, kind } as unknown as KubeObject;
}

function objectOf(value: KubeObject[string]): Readonly<Record<string, JsonValue>> {
  return isJsonObject(value) ? value : {};
}
