import type { Kind, RuleContext } from '../kinds/kind.ts';
import { readPage } from '../storage/read-page.ts';
import { valueAt } from '../json-path.ts';
import type { VerbContext } from './verb-context.ts';

const PAGE = 500;

export function ruleContext(context: VerbContext, kind: Kind): RuleContext {
  return {
    nowMs: context.clock.nowMs(),
    randomBelow: (limit) => context.random.below(limit),
    isTaken: (path, value) => hasValue(context, kind, path, value),
  };
}

/** Looks at every object of the kind: for kinds with few objects. */
function hasValue({ store }: VerbContext, { resource }: Kind, path: readonly string[], value: string | number): boolean {
  let after: { namespace: string; name: string } | undefined = { namespace: '', name: '' };
  const text = JSON.stringify(value);
  while (after !== undefined) {
    const { rows, next } = readPage(store, { resource, namespace: undefined, after, limit: PAGE, version: store.committedVersion });
    for (const { read } of rows) {
      const state = read();
      // The text says cheaply for most objects that they cannot have the value.
      if (state?.text.includes(text) === true && valueAt(state.lean, path) === value) return true;
    }
    after = next;
  }
  return false;
}
