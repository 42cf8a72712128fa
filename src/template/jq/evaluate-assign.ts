import type { JsonValue } from '../../objects/index.ts';
import type { JqNode } from './node.ts';
import { calculate } from './operators.ts';
import { made, pathsOf, plainItem } from './scope.ts';
import type { Item, Items, Scope } from './scope.ts';
import { deletePaths, isTruthy, updatePath } from './values.ts';
import type { JqStep } from './values.ts';

export function* evaluateAssign(node: Extract<JqNode, { type: 'binary' | 'assign' }>, scope: Scope, input: Item): Items {
  const { left, right, operator } = node;
  const paths = (): (readonly JqStep[])[] => [...pathsOf(left, scope, input.value)];
  if (operator === '|=') {
    yield made(
      input,
      modify(paths(), input.value, (old) => collectFirst(right, scope, old), scope),
    );
    return;
  }
  for (const { value: given } of scope.evaluate(right, scope, plainItem(input))) {
    const change = (old: JsonValue): JsonValue => {
      if (operator === '=') return given;
      if (operator === '//=') return isTruthy(old) ? old : given;
      return calculate(operator.slice(0, -1), old, given, scope.budget);
    };
    yield made(
      input,
      paths().reduce<JsonValue>((value, path) => updatePath(value, path, change, scope.budget), input.value),
    );
  }
}

/** Where the update gives nothing, what it was to change goes. */
function modify(
  paths: readonly (readonly JqStep[])[],
  value: JsonValue,
  change: (old: JsonValue) => JsonValue | undefined,
  { budget }: Scope,
): JsonValue {
  const gone: (readonly JqStep[])[] = [];
  const changeAt =
    (path: readonly JqStep[]) =>
    (old: JsonValue): JsonValue => {
      const result = change(old);
      if (result === undefined) gone.push(path);
      return result === undefined ? old : result;
    };
  const changed = paths.reduce<JsonValue>((rest, path) => updatePath(rest, path, changeAt(path), budget), value);
  return deletePaths(changed, gone, budget);
}

function collectFirst(node: JqNode, scope: Scope, value: JsonValue): JsonValue | undefined {
  for (const item of scope.evaluate(node, scope, { value, path: undefined })) return item.value;
  return undefined;
}
