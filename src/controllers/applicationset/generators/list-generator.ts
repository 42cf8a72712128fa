import { ApiError, Code } from '../../../base/index.ts';
import { isJsonObject, type JsonValue } from '../../../objects/index.ts';
import { fromJson, GoList, GoMap, parseYaml, TemplateError, type GoAny } from '../../../template/index.ts';
import type { Generator, ParameterSet } from './generator.ts';

/** Parameters that stand in the application set itself. */
export const listGenerator: Generator<'list'> = {
  async generate({ spec, goTemplate }) {
    const elements = (spec.elements ?? []) as readonly JsonValue[];
    return [...elements.map((element) => readElement(element, goTemplate)), ...readYaml(spec.elementsYaml ?? '')];
  },
  requeueAfterMs: () => undefined,
};

function readElement(element: JsonValue, goTemplate: boolean): ParameterSet {
  const value = isJsonObject(element) ? fromJson(element) : undefined;
  if (!(value instanceof GoMap))
    throw new ApiError(Code.InvalidArgument, `error unmarshling list element ${JSON.stringify(element)}: it is not an object`);
  return goTemplate ? value : flattenElement(value);
}

/** All values are texts, but `values`, which holds texts. */
function flattenElement({ entries }: GoMap): ParameterSet {
  const flat = new Map<string, GoAny>();
  for (const [key, value] of entries) {
    if (key !== 'values') flat.set(key, requireText(value));
    else if (!(value instanceof GoMap)) throw new ApiError(Code.InvalidArgument, 'error parsing values map');
    else for (const [name, item] of value.entries) flat.set(`values.${name}`, requireText(item));
  }
  return new GoMap(flat);
}

/** The text of the refusal is known to clients, with its mark of a formatting mistake. */
function requireText(value: GoAny): string {
  if (typeof value !== 'string') throw new ApiError(Code.InvalidArgument, 'error parsing value as string %!w(<nil>)');
  return value;
}

function readYaml(text: string): readonly ParameterSet[] {
  if (text === '') return [];
  const failure = (why: string): ApiError => new ApiError(Code.InvalidArgument, `error unmarshling decoded ElementsYaml ${why}`);
  let value: GoAny;
  try {
    value = parseYaml(text);
  } catch (error) {
    if (error instanceof TemplateError) throw failure(error.message);
    throw error;
  }
  if (value === null) return [];
  if (!(value instanceof GoList)) throw failure('it is not a list');
  return value.items.map((item) => {
    if (!(item instanceof GoMap)) throw failure('an item is not an object');
    return item;
  });
}
