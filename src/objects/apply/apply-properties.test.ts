import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json-value.ts';
import { builtinSchema } from '../schema/index.ts';
import { ApplyConflict } from './apply-conflict.ts';
import { applyServerSide } from './apply-server-side.ts';
import { atomOf } from './atom.ts';
import { jsonEquals } from './compare-json.ts';
import { listFields, subtractFieldSet } from './field-set.ts';
import { fieldsOfObject } from './fields-of-object.ts';
import { withManagedFields } from './managed-fields.ts';
import { mergeTyped } from './merge-typed.ts';
import { printPath } from './path-element.ts';
import { withoutNeverOwned } from './update-owners.ts';

const schema = builtinSchema('apps/v1', 'Deployment');

const text = fc.constantFrom('x', 'y');
const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), text, { minKeys: 1, maxKeys: 3 });
const port = fc.record(
  { containerPort: fc.constantFrom(80, 81), protocol: fc.constantFrom('TCP', 'UDP'), name: text },
  { requiredKeys: ['containerPort'] },
);
const container = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c'),
    image: text,
    args: fc.array(text, { minLength: 1, maxLength: 2 }),
    ports: fc.uniqueArray(port, { minLength: 1, maxLength: 3, selector: (item) => `${item.containerPort} ${item.protocol ?? 'TCP'}` }),
    env: fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B'), value: text }), {
      minLength: 1,
      maxLength: 2,
      selector: ({ name }) => name,
    }),
  },
  { requiredKeys: ['name'] },
);
const containers = fc.uniqueArray(container, { minLength: 1, maxLength: 3, selector: ({ name }) => name });
const spec = fc.record(
  {
    replicas: fc.nat(2),
    paused: fc.boolean(),
    selector: fc.record({ matchLabels: labels }),
    template: fc.record({ spec: fc.record({ containers }) }),
  },
  { requiredKeys: [] },
);
const metadata = fc.record({ labels, finalizers: fc.uniqueArray(text, { minLength: 1, maxLength: 2 }) }, { requiredKeys: [] });

/** What users apply: they name the object, and say nothing of what they leave to others. */
const config: fc.Arbitrary<JsonObject> = fc.tuple(spec, metadata).map(([ownSpec, own]) => {
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...own }, spec: ownSpec };
  return JSON.parse(JSON.stringify(object)) as JsonObject;
});

function apply(live: JsonObject | undefined, applied: JsonObject, manager: string, force = false): JsonObject {
  const { object, managedFields } = applyServerSide({ live, config: applied, manager, force, nowMs: 0, schema, isBuiltin: true });
  return withManagedFields(object, managedFields);
}

function hasValuesOf(object: JsonObject, part: JsonObject): boolean {
  const own = withManagedFields(object, []);
  return jsonEquals(sortLists(mergeTyped(own, part, atomOf(schema))), sortLists(own));
}

/** The order of keyed lists and sets is the last applier's, and no one's value. */
function sortLists(value: unknown): JsonObject {
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) =>
      Array.isArray(item) && (key === 'finalizers' || item.every((part) => typeof part === 'object'))
        ? item.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
        : item,
    ),
  ) as JsonObject;
}

describe('apply', () => {
  it('done twice is done once', () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const once = apply(apply(undefined, first, 'one'), second, 'two', true);
        expect(apply(once, second, 'two')).toEqual(once);
      }),
    );
  });

  it('gives the applied fields the applied values', () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        expect(hasValuesOf(apply(apply(undefined, first, 'one'), second, 'two', true), second)).toBe(true);
      }),
    );
  });

  it('leaves nothing of what its only manager dropped', () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const object = withManagedFields(apply(apply(undefined, first, 'one'), second, 'one'), []);
        const extra = subtractFieldSet(withoutNeverOwned(fieldsOfObject(object, schema)), fieldsOfObject(second, schema));
        // An object or list that was emptied may stay as null: it has no value left.
        const fields = [...listFields(extra)].map(printPath).filter((path) => valueAt(object, path) !== null);
        expect(fields).toEqual([]);
      }),
    );
  });

  it('without force leaves the fields of others as they are, or refuses', () => {
    fc.assert(
      fc.property(config, config, config, (first, second, third) => {
        const before = apply(undefined, first, 'one');
        try {
          expect(hasValuesOf(apply(apply(before, second, 'two'), third, 'two'), first)).toBe(true);
        } catch (error) {
          if (!(error instanceof ApplyConflict)) throw error;
        }
      }),
    );
  });
});

function valueAt(object: JsonObject, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined), object);
}
