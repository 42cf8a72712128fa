import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../objects/index.ts';
import { TemplateError, type GoMap } from '../../../template/index.ts';
import type { RenderText } from '../templates/render-text.ts';

/** Every text in a value rendered, also the keys of its maps. What is null in it is gone. */
export function renderValue(value: JsonValue, render: (text: string) => string): JsonValue {
  if (typeof value === 'string') return render(value);
  if (isJsonArray(value)) return value.map((item) => renderValue(item, render));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [render(key), renderValue(item, render)]));
}

export interface InterpolateOptions {
  readonly parameters: GoMap;
  readonly renderText: RenderText;
  /** The same language, in which a key that is not there is an error. Only for Go templates. */
  readonly renderStrictly: RenderText | undefined;
}

/**
 * The second generator of a matrix with the parameters of the first in it. Its own `values` may refer to its own parameters, too: such a
 * one stays as it is, for the generator itself to render.
 */
export function interpolateGenerator(entry: JsonObject, { parameters, renderText, renderStrictly }: InterpolateOptions): JsonObject {
  const render = (text: string): string => renderText(text, parameters);
  const entries = Object.entries(entry).map(([key, block]): [string, JsonValue] => {
    if (key === 'selector') return [key, block];
    if (renderStrictly === undefined || !isJsonObject(block) || !isJsonObject(block['values'])) return [key, renderValue(block, render)];
    const { values, ...rest } = block;
    const resolved = Object.entries(values).map(([name, value]): [string, JsonValue] => [
      name,
      typeof value === 'string' ? renderIfPossible(value, parameters, renderStrictly) : value,
    ]);
    return [key, { ...(renderValue(rest, render) as JsonObject), values: Object.fromEntries(resolved) }];
  });
  return Object.fromEntries(entries);
}

function renderIfPossible(text: string, parameters: GoMap, renderStrictly: RenderText): string {
  try {
    return renderStrictly(text, parameters);
  } catch (error) {
    if (error instanceof TemplateError) return text;
    throw error;
  }
}
