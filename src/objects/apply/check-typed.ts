import { isJsonArray, isJsonObject } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import { narrowAtom } from './atom.ts';
import type { Atom, ListAtom, MapAtom, Scalar } from './atom.ts';
import { ElementWithoutKey, elementAddress } from './list-elements.ts';
import { fieldElement, printPathElement } from './path-element.ts';
import { printGoSyntax, printGoType, printGoValue } from './print-go.ts';
import { TypedError } from './typed-error.ts';
import type { TypedProblem } from './typed-error.ts';

/**
 * Throws TypedError where a value does not fit its type. Duplicate elements of sets and keyed lists are an error in what a user applies,
 * and tolerated in what is already stored.
 */
export function checkTyped(value: JsonValue, atom: Atom, duplicates: 'refuse' | 'allow'): void {
  const problems: TypedProblem[] = [];
  check(value, atom, '', { problems, duplicates });
  if (problems.length > 0) throw new TypedError(problems);
}

interface Check {
  readonly problems: TypedProblem[];
  readonly duplicates: 'refuse' | 'allow';
}

function check(value: JsonValue, atom: Atom, path: string, context: Check): void {
  const { map, scalar, list } = narrowAtom(atom, value);
  if (value === null) return;
  if (map !== undefined) {
    if (isJsonObject(value)) checkMap(value, map, path, context);
    else context.problems.push({ path, message: `expected map, got &{${printGoValue(value)}}` });
  } else if (scalar !== undefined) {
    const message = scalarProblem(value, scalar);
    if (message !== undefined) context.problems.push({ path, message });
  } else if (list !== undefined) {
    if (isJsonArray(value)) checkList(value, list, path, context);
    else context.problems.push({ path, message: `expected list, got &{${printGoValue(value)}}` });
  }
}

function checkMap(value: JsonObject, map: MapAtom, path: string, context: Check): void {
  for (const [key, child] of Object.entries(value)) {
    const childPath = path + printPathElement(fieldElement(key));
    const type = map.field(key) ?? map.values?.();
    if (type === undefined) {
      // The API server looks no further in this object once it meets an unknown field.
      context.problems.push({ path: childPath, message: 'field not declared in schema' });
      return;
    }
    check(child, type, childPath, context);
  }
}

function checkList(value: JsonArray, list: ListAtom, path: string, context: Check): void {
  const seen = new Set<string>();
  for (const [index, element] of value.entries()) {
    let address = `[${index}]`;
    if (list.keys !== undefined) {
      try {
        const found = elementAddress(list, element);
        address = printPathElement(found);
        const key = found.text;
        if (seen.has(key) && context.duplicates === 'refuse')
          context.problems.push({ path, message: `duplicate entries for key ${address}` });
        seen.add(key);
      } catch (error) {
        if (!(error instanceof ElementWithoutKey)) throw error;
        context.problems.push({ path, message: `element ${index}: ${error.message}` });
        return;
      }
    }
    check(element, list.items(), path + address, context);
  }
}

/** What is wrong with a scalar, if anything: null always fits. */
function scalarProblem(value: JsonValue, scalar: Scalar): string | undefined {
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${printGoType(value)}`;
    case 'string':
      return typeof value === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${printGoSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${printGoValue(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${printGoValue(value)}}` : undefined;
  }
}
