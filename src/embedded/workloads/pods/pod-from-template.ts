import type { JsonObject } from '../../../objects/index.ts';
import { objectAt } from '../../json-path.ts';
import { compact, controllerReference } from '../view.ts';
import type { View } from '../view.ts';

export interface PodFromTemplate {
  readonly owner: View;
  readonly template: JsonObject;
  /** Its name, or the start of it, with a dash at the end. */
  readonly name?: string;
  readonly generateName?: string;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  readonly spec?: JsonObject;
}

/** A pod as a controller makes it from its template. */
export function podFromTemplate({ owner, template, name, generateName, labels, annotations, spec }: PodFromTemplate): JsonObject {
  const { finalizers } = objectAt(template, 'metadata');
  const allAnnotations = { ...objectAt(template, 'metadata', 'annotations'), ...annotations };
  return {
    metadata: compact({
      name,
      generateName,
      namespace: owner.namespace,
      labels: { ...objectAt(template, 'metadata', 'labels'), ...labels },
      annotations: Object.keys(allAnnotations).length === 0 ? undefined : allAnnotations,
      finalizers,
      ownerReferences: [controllerReference(owner)],
    }),
    spec: { ...objectAt(template, 'spec'), ...spec },
  };
}
