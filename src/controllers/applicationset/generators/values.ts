import { GoMap, type GoAny } from '../../../template/index.ts';
import type { ParameterSet } from './generator.ts';
import type { RenderText } from '../templates/render-text.ts';

export interface ValuesOptions {
  readonly goTemplate: boolean;
  readonly renderText: RenderText;
}

/** The parameters with the generator's own `values`: each is rendered with the parameters, and none sees another. */
export function withValues(
  parameters: ParameterSet,
  values: Readonly<Record<string, string>> | undefined,
  { goTemplate, renderText }: ValuesOptions,
): ParameterSet {
  if (values === undefined || Object.keys(values).length === 0) return parameters;
  const rendered = Object.entries(values).map(([key, text]): [string, GoAny] => [key, renderText(text, parameters)]);
  if (goTemplate) return parametersOf(parameters.entries, [['values', new GoMap(new Map(rendered), 'string')]]);
  return parametersOf(
    parameters.entries,
    rendered.map(([key, value]) => [`values.${key}`, value]),
  );
}

/** One set from several lists of entries; later ones win. */
export function parametersOf(...parts: readonly Iterable<readonly [string, GoAny]>[]): ParameterSet {
  return new GoMap(new Map(parts.flatMap((part) => [...part])));
}
