import { printGoValue } from '../../apply/print-go.ts';
import { isJsonObject } from '../../json-value.ts';
import type { JsonArray, JsonValue } from '../../json-value.ts';
import { PatchError } from '../patch-error.ts';
import { ELEMENT_ORDER_PREFIX, isDeleteElement, PATCH_DIRECTIVE } from './directives.ts';
import { mergeKeyValue, requireObject } from './list-elements.ts';

/** A patch's list must be part of the order that the patch gives for it, in that order; deletions and other directives do not count. */
export function checkElementOrder(patch: JsonArray, order: JsonArray, mergeKey: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return;
  const elements = mergeKey === undefined ? patch : patch.filter((element) => !isDeleteElement(requireObject(element)));
  const isDirective = (element: JsonValue | undefined) => isJsonObject(element) && Object.hasOwn(element, PATCH_DIRECTIVE);
  const identity = (element: JsonValue) => (mergeKey === undefined ? element : mergeKeyValue(requireObject(element), mergeKey));
  let next = 0;
  for (const place of order) {
    while (isDirective(elements[next])) next++;
    const element = elements[next];
    if (element === undefined) return;
    if (identity(element) === identity(place)) next++;
  }
  if (next >= elements.length) return;
  const given = `The order in patch list:\n${printGoValue(patch)}\n`;
  throw new PatchError(500, `${given} doesn't match ${ELEMENT_ORDER_PREFIX} list:\n${printGoValue(order)}\n`);
}
