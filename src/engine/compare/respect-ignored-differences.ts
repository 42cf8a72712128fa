import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonValue, KubeObject } from '../../objects/index.ts';
import { isSecret } from '../mask/mask-secrets.ts';
import type { CompareRules } from './compare-rules.ts';
import { ignoreRulesFor, parsePointer } from './ignore-differences.ts';
import { findJqPaths } from './jq-paths.ts';
import type { JqPath } from './jq-paths.ts';
import { normalizeSecret } from './normalize-object.ts';
import { withTheirFields } from './owned-fields.ts';

/** The desired object with what the live one has in the places that are ignored, so that applying it leaves them alone. The status is never copied. */
export function respectIgnoredDifferences(
  desired: KubeObject,
  live: KubeObject | undefined,
  rules: Pick<CompareRules, 'ignore' | 'project'>,
): KubeObject {
  const own = ignoreRulesFor(desired, rules);
  if (live === undefined || own.length === 0) return desired;
  const from = live as unknown as JsonValue;
  // What is written in plain would win over what is taken from what lives.
  const wanted = isSecret(desired) ? normalizeSecret(desired) : desired;
  const paths = [
    ...own.flatMap(({ jsonPointers = [] }) => jsonPointers.map(parsePointer)),
    ...findJqPaths(
      live,
      own.flatMap(({ jqPathExpressions = [] }) => jqPathExpressions),
      rules.project,
    ),
  ];
  const copied = paths
    .filter((path) => path.length > 0 && path[0] !== 'status')
    .reduce<JsonValue>((value, path) => copyAt(value, from, path), wanted as unknown as JsonValue);
  return withTheirFields(copied as unknown as KubeObject, live, rules);
}

/**
 * A value with what another has at a path. Objects on the way are made where they are missing; items of lists are not, and are found by
 * their name, as they may stand elsewhere.
 */
function copyAt(value: JsonValue | undefined, from: JsonValue | undefined, [step, ...rest]: JqPath): JsonValue {
  if (step === undefined) return from ?? null;
  if (isJsonArray(from)) return isJsonArray(value) ? copyItem(value, from, indexOf(step, from.length), rest) : (value ?? null);
  const name = String(step);
  if (!isJsonObject(from) || !Object.hasOwn(from, name) || (value !== undefined && !isJsonObject(value))) return value ?? null;
  const before = value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
  if (before === undefined && !leads(from[name], rest)) return value ?? null;
  const entries = Object.entries(value ?? {}).filter(([key]) => key !== name);
  return Object.fromEntries([...entries, [name, copyAt(before, from[name], rest)]]);
}

function copyItem(value: readonly JsonValue[], from: readonly JsonValue[], index: number, rest: JqPath): JsonValue {
  const item = from[index];
  const at = item === undefined ? -1 : placeOf(value, item, index);
  const own = value[at];
  return own === undefined ? [...value] : value.with(at, copyAt(own, item, rest));
}

/** Of a step into a list, which may count from its end; -1 for what is no index. */
function indexOf(step: string | number, length: number): number {
  if (typeof step === 'number') return step < 0 ? Math.max(-1, step + length) : step;
  return /^(?:0|[1-9]\d*)$/.test(step) ? Number(step) : -1;
}

/** Where an item of one list is in another: where its name is, or else in the same place. */
function placeOf(value: readonly JsonValue[], item: JsonValue, index: number): number {
  const name = isJsonObject(item) ? item['name'] : undefined;
  return typeof name === 'string' ? value.findIndex((one) => isJsonObject(one) && one['name'] === name) : index;
}

/** Whether a path leads to something, through objects alone: only then are those made that are missing. */
function leads(from: JsonValue | undefined, [step, ...rest]: JqPath): boolean {
  if (step === undefined) return from !== undefined;
  return isJsonObject(from) && Object.hasOwn(from, String(step)) && leads(from[String(step)], rest);
}
