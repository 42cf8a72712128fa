import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSet } from '../../model/index.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../objects/index.ts';
import { compileJqDeletion, createBudget, TemplateError } from '../../template/index.ts';

/** Takes out of an application what is not to be compared. */
export type Ignore = (value: JsonObject) => JsonObject;

/** Of the expressions for all applications together, some thousand for each of ten thousand: half a minute of work at most, in turns. */
const allStepsMax = 50_000_000;

/** What `ignoreApplicationDifferences` says about one application. Throws ApiError where it cannot be read, or takes too long. */
export function createIgnore({ spec }: ApplicationSet, stepsMax = allStepsMax): (name: string) => Ignore {
  const budget = createBudget({ stepsMax });
  const rules = (spec.ignoreApplicationDifferences ?? []).map(({ name = '', jsonPointers = [], jqPathExpressions = [] }) => {
    const queries = jqPathExpressions.map((text) => compileQuery(text, budget));
    return {
      name,
      ignore: (value: JsonObject): JsonObject => {
        const pointed = jsonPointers.reduce<JsonValue>((left, pointer) => removeAt(left, parsePointer(pointer)), value);
        const left = queries.reduce((rest, query) => query(rest), pointed);
        return isJsonObject(left) ? left : value;
      },
    };
  });
  return (application) => {
    const meant = rules.filter(({ name }) => name === '' || name === application);
    return (value) => meant.reduce((left, { ignore }) => ignore(left), value);
  };
}

function compileQuery(text: string, budget: ReturnType<typeof createBudget>): (value: JsonValue) => JsonValue {
  const failure = (error: unknown): unknown =>
    error instanceof TemplateError
      ? new ApiError(Code.InvalidArgument, `error in ignoreApplicationDifferences: ${JSON.stringify(text)}: ${error.message}`)
      : error;
  try {
    const query = compileJqDeletion(text);
    return (value) => {
      try {
        return query.apply(value, budget);
      } catch (error) {
        throw failure(error);
      }
    };
  } catch (error) {
    throw failure(error);
  }
}

function parsePointer(pointer: string): readonly string[] {
  const [, ...parts] = pointer.split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function removeAt(value: JsonValue, [key, ...rest]: readonly string[]): JsonValue {
  if (key === undefined) return value;
  if (isJsonArray(value)) {
    const index = /^\d+$/.test(key) ? Number(key) : -1;
    if (index < 0 || index >= value.length) return value;
    return rest.length === 0
      ? value.filter((_item, at) => at !== index)
      : value.map((item, at) => (at === index ? removeAt(item, rest) : item));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value;
  const entries = Object.entries(value);
  const left = rest.length === 0 ? entries.filter(([name]) => name !== key) : entries;
  return Object.fromEntries(left.map(([name, item]) => [name, name === key ? removeAt(item, rest) : item]));
}
