import { ApiError, Code } from '../../../base/index.ts';
import type { JsonObject, MessageSchema } from '../../../contract/index.ts';
import { bindText, findTarget } from './bind-value.ts';

export type QueryParameter = readonly [name: string, value: string];

/** Splits and decodes a query string. */
export function parseQuery(query: string, parametersMax: number): QueryParameter[] {
  if (query === '') return [];
  const pairs = query.split('&', parametersMax + 1);
  if (pairs.length > parametersMax) throw new ApiError(Code.InvalidArgument, `the query has more than ${parametersMax} parameters`);
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
    });
}

/** Puts query parameters into a request. Names that it does not know, or that the path or body has taken, are left out. */
export function bindQuery(
  schema: MessageSchema,
  request: JsonObject,
  parameters: readonly QueryParameter[],
  isTaken: (name: string) => boolean,
): void {
  for (const [name, value] of parameters) {
    if (isTaken(name)) continue;
    const target = findTarget(schema, request, name);
    if (target !== undefined) bindText(target, name, value, false);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError(Code.InvalidArgument, 'the query has malformed percent-encoding');
  }
}
