import { isJsonObject, listAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';

/** Where kinds keep the pods that they make. */
const POD_SPECS: readonly (readonly string[])[] = [
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ['spec'],
];

/** The images of the containers that an object asks for, each once, in their order. */
export function imagesOfTemplate(object: KubeObject): readonly string[] {
  for (const path of POD_SPECS) {
    const spec = valueAt(object as unknown as JsonObject, path);
    const images = isJsonObject(spec)
      ? ['initContainers', 'containers'].flatMap((list) => listAt(spec, list).map((container) => textAt(container, 'image')))
      : [];
    if (images.length > 0) return [...new Set(images.filter((image) => image !== ''))];
  }
  return [];
}
