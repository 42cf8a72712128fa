import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { ApiError } from '../../src/base/index.ts';
import {
  addQuantities,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  builtinResources,
  builtinSchema,
  compareQuantities,
  createMergePatch,
  createStrategicMergePatch,
  createThreeWayMergePatch,
  createThreeWayStrategicMergePatch,
  describeFieldError,
  formatApiVersion,
  formatFieldSelector,
  formatLabelSelector,
  formatQuantity,
  isJsonArray,
  isJsonObject,
  matchesFieldSelector,
  matchesLabelSelector,
  parseFieldSelector,
  parseJsonPatch,
  parseLabelSelector,
  parseQuantity,
  QuantityError,
  readLabelSelector,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validateMetadata,
  validatePathSegment,
  validateQualifiedName,
} from '../../src/objects/index.ts';
import type { JsonObject, JsonValue, Labels, LabelSelector, Schema } from '../../src/objects/index.ts';
import { askObjectsOracle } from '../support/objects-oracle.ts';
import type { Answer, Question } from '../support/objects-oracle.ts';
import {
  randomFieldSelector,
  randomJsonPatch,
  randomLabels,
  randomLabelSelectorObject,
  randomLabelSelectorText,
  randomMetadata,
  randomName,
  randomQuantity,
  randomStrategicPatch,
} from '../support/random-inputs.ts';
import { createRandom, randomEdit, randomObject } from '../support/random-objects.ts';
import type { Random } from '../support/random-objects.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const KINDS = [
  'v1/Pod',
  'apps/v1/Deployment',
  'v1/Service',
  'apps/v1/StatefulSet',
  'policy/v1/PodDisruptionBudget',
  'v1/ServiceAccount',
  'v1/ConfigMap',
  'batch/v1/CronJob',
  'networking.k8s.io/v1/Ingress',
];

/** A question and what Fairway says to it. */
interface Case {
  readonly question: Question;
  readonly ours: () => unknown;
}

describeWithTool('objects-oracle', 'the algebra of objects against Kubernetes itself', (tool) => {
  /** Asks both, and returns where they differ; `agree` may forgive a difference that is meant. */
  async function compare(
    cases: readonly Case[],
    agree: (answer: Answer, ours: Answer, question: Question) => boolean = isSame,
  ): Promise<readonly string[]> {
    const answers = await askObjectsOracle(
      tool(),
      cases.map(({ question }) => question),
    );
    return cases.flatMap(({ question, ours }, index) => {
      const answer = answers[index] ?? {};
      const own = attempt(ours);
      return answer.panic === true || agree(answer, own, question) ? [] : [JSON.stringify({ kubernetes: answer, fairway: own, question })];
    });
  }

  it('merges the same fields in the same way', async () => {
    const kinds = builtinResources
      .filter(({ verbs, group }) => verbs.includes('patch') && group !== 'apiextensions.k8s.io' && group !== 'apiregistration.k8s.io')
      .map((resource) => ({
        name: `${formatApiVersion(resource)}/${resource.kind}`,
        schema: schemaOf(formatApiVersion(resource), resource.kind),
      }));
    const cases = kinds.map(({ name, schema }) => ({
      question: { operation: 'patchFields', kind: name },
      ours: () => patchFields(schema),
    }));
    expect(cases.length).toBeGreaterThan(50);
    expect(await compare(cases)).toEqual([]);
  });

  it('applies strategic merge patches with directives', async () => {
    const cases = manyCases(1500, (random, index) => {
      const { kind, schema } = kindAt(index);
      const original = randomObject(random, schema);
      const patch = randomStrategicPatch(random, original, schema);
      return [
        { question: { operation: 'applyStrategic', kind, original, patch }, ours: () => applyStrategicMergePatch(original, patch, schema) },
      ];
    });
    expect(await compare(cases, isSameOrBothFail)).toEqual([]);
  });

  it('creates and applies patches between random objects', async () => {
    const cases = manyCases(500, (random, index) => {
      const { kind, schema } = kindAt(index);
      const original = randomObject(random, schema);
      const modified = randomEdit(random, original, schema);
      const live = randomEdit(random, original, schema);
      const patch = createThreeWayStrategicMergePatch({ lastApplied: original, modified, live }, schema);
      return [
        {
          question: { operation: 'applyStrategic', kind, original: live, patch },
          ours: () => applyStrategicMergePatch(live, patch, schema),
        },
        { question: { operation: 'applyMerge', original: live, patch: modified }, ours: () => applyMergePatch(live, modified) },
        { question: { operation: 'createMerge', original, modified }, ours: () => createMergePatch(original, modified) },
        {
          question: { operation: 'createThreeWayMerge', original, modified, current: live },
          ours: () => createThreeWayMergePatch({ lastApplied: original, modified, live }),
        },
      ];
    });
    expect(await compare(cases)).toEqual([]);
  });

  it('creates the same strategic merge patches, but for what changes nothing', async () => {
    const cases = manyCases(800, (random, index) => {
      const { kind, schema } = kindAt(index);
      const original = randomObject(random, schema);
      const modified = randomEdit(random, original, schema);
      const live = randomEdit(random, original, schema);
      return [
        {
          question: { operation: 'createStrategic', kind, original, modified },
          ours: () => createStrategicMergePatch(original, modified, schema),
        },
        {
          question: { operation: 'createThreeWayStrategic', kind, original, modified, current: live },
          ours: () => createThreeWayStrategicMergePatch({ lastApplied: original, modified, live }, schema),
        },
      ];
    });
    expect(await compare(cases, isSameButForNoise)).toEqual([]);
  });

  it('applies JSON patches, with the same messages', async () => {
    const cases = manyCases(2000, (random, index) => {
      const original = randomObject(random, kindAt(index).schema);
      const patch = randomJsonPatch(random, original);
      return [{ question: { operation: 'applyJson', original, patch }, ours: () => applyJsonPatch(original, parseJsonPatch(patch)) }];
    });
    expect(await compare(cases)).toEqual([]);
  });

  it('parses, prints and matches label selectors', async () => {
    const cases = manyCases(1500, (random) => {
      const candidates = Array.from({ length: 5 }, () => randomLabels(random));
      const text = randomLabelSelectorText(random);
      const selector = randomLabelSelectorObject(random);
      return [
        {
          question: { operation: 'parseLabelSelector', text, original: candidates },
          ours: () => selection(parseLabelSelector(text), candidates),
        },
        {
          question: { operation: 'readLabelSelector', patch: selector, original: candidates },
          ours: () => selection(readLabelSelector(selector), candidates),
        },
      ];
    });
    expect(await compare(cases)).toEqual([]);
  });

  it('parses, prints and matches field selectors', async () => {
    const cases = manyCases(1000, (random) => {
      const candidates = Array.from({ length: 5 }, () => randomLabels(random));
      const text = randomFieldSelector(random);
      const ours = () => {
        const selector = parseFieldSelector(text);
        const matches = candidates.map((fields) =>
          matchesFieldSelector(selector, (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined)),
        );
        return { text: formatFieldSelector(selector), matches };
      };
      return [{ question: { operation: 'parseFieldSelector', text, original: candidates }, ours }];
    });
    expect(await compare(cases)).toEqual([]);
  });

  it('reads, writes, compares and adds quantities', async () => {
    const cases = manyCases(3000, (random) => {
      const [text, other] = [randomQuantity(random), randomQuantity(random)];
      return [
        { question: { operation: 'quantity', text }, ours: () => formatQuantity(parseQuantity(text)) },
        {
          question: { operation: 'compareQuantities', text, other },
          ours: () => compareQuantities(parseQuantity(text), parseQuantity(other)),
        },
        {
          question: { operation: 'addQuantities', text, other },
          ours: () => formatQuantity(addQuantities(parseQuantity(text), parseQuantity(other))),
        },
      ];
    });
    expect(await compare(cases)).toEqual([]);
  });

  it('refuses names and metadata with the same sentences', async () => {
    const rules = {
      dns1123Label: validateDns1123Label,
      dns1123Subdomain: validateDns1123Subdomain,
      dns1035Label: validateDns1035Label,
      labelKey: validateQualifiedName,
      labelValue: validateLabelValue,
      pathSegment: validatePathSegment,
    };
    const cases = manyCases(400, (random) => {
      const name = randomName(random);
      const metadata = randomMetadata(random);
      const namespaced = random.chance(0.5);
      return [
        ...Object.entries(rules).map(([kind, rule]) => ({ question: { operation: 'validate', kind, text: name }, ours: () => rule(name) })),
        {
          question: { operation: 'validateMetadata', original: metadata, text: namespaced ? 'namespaced' : '' },
          ours: () => validateMetadata(metadata, { namespaced, validateName: validateDns1123Subdomain }).map(describeFieldError),
        },
      ];
    });
    // Kubernetes goes through labels and annotations in no order.
    expect(await compare(cases, (answer, ours) => isSame(sorted(answer), sorted(ours)))).toEqual([]);
  });
});

function schemaOf(apiVersion: string, kind: string): Schema {
  const schema = builtinSchema(apiVersion, kind);
  if (schema === undefined) throw new Error(`no schema for ${apiVersion} ${kind}`);
  return schema;
}

function kindAt(index: number): { kind: string; schema: Schema } {
  const kind = KINDS[index % KINDS.length] ?? '';
  const slash = kind.lastIndexOf('/');
  return { kind, schema: schemaOf(kind.slice(0, slash), kind.slice(slash + 1)) };
}

function manyCases(count: number, make: (random: Random, index: number) => readonly Case[]): readonly Case[] {
  return Array.from({ length: count }, (_, index) => make(createRandom(index + 1), index)).flat();
}

function attempt(ours: () => unknown): Answer {
  try {
    // Through JSON, as the question went: what is compared is what a client would see.
    return { result: JSON.parse(JSON.stringify(ours())) as JsonValue };
  } catch (error) {
    if (error instanceof ApiError || error instanceof QuantityError) return { error: error.message };
    throw error;
  }
}

function isSame(answer: Answer, ours: Answer): boolean {
  return isDeepStrictEqual(answer, ours);
}

/** Of several faults in a patch Kubernetes names any, so only the refusal counts. */
function isSameOrBothFail(answer: Answer, ours: Answer): boolean {
  return answer.error !== undefined ? ours.error !== undefined : isSame(answer, ours);
}

/**
 * Kubernetes also writes down the order of unchanged lists of scalars unless they are sorted, and of a field that is replaced whole it
 * writes the value although it is the one that is there. Fairway does not: what changes nothing is no patch.
 */
function isSameButForNoise(answer: Answer, ours: Answer, { kind = '', original, current }: Question): boolean {
  if (kind !== 'policy/v1/PodDisruptionBudget')
    return isDeepStrictEqual(withoutScalarOrders(answer.result ?? null), withoutScalarOrders(ours.result ?? null));
  const live = current ?? original;
  const { schema } = kindAt(KINDS.indexOf(kind));
  const applied = [answer, ours].map(({ result = null }) => applyStrategicMergePatch(isJsonObject(live) ? live : {}, result, schema));
  return isDeepStrictEqual(applied[0], applied[1]);
}

function withoutScalarOrders(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutScalarOrders);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, member]): [string, JsonValue][] => {
    if (key.startsWith('$setElementOrder') && isJsonArray(member) && !isJsonObject(member[0])) return [];
    const cleaned = withoutScalarOrders(member);
    const becameEmpty = isJsonObject(member) && isJsonObject(cleaned) && size(member) > 0 && size(cleaned) === 0;
    return becameEmpty ? [] : [[key, cleaned]];
  });
  return Object.fromEntries(kept);
}

function size(object: JsonObject): number {
  return Object.keys(object).length;
}

function sorted({ result, ...rest }: Answer): Answer {
  return { ...rest, ...(isJsonArray(result) && { result: result.map(String).sort() }) };
}

function selection(selector: LabelSelector, candidates: readonly Labels[]): unknown {
  return { text: formatLabelSelector(selector), matches: candidates.map((labels) => matchesLabelSelector(selector, labels)) };
}

/** As the oracle's operation of that name: every field that merges in a way of its own. */
function patchFields(schema: Schema): readonly string[] {
  const found = new Set<string>();
  const walk = (node: Schema, path: readonly string[], above: readonly unknown[]) => {
    const children = node.items ?? node.additionalProperties;
    if (children !== undefined) walk(children, path, above);
    if (node.properties === undefined || above.includes(node.properties)) return;
    for (const [name, child] of node.properties) {
      const here = [...path, name];
      if (child.patchStrategies !== undefined)
        found.add(`${here.join('.')} ${child.patchStrategies.join(',')} ${child.patchMergeKey ?? ''}`);
      walk(child, here, [...above, node.properties]);
    }
  };
  walk(schema, [], []);
  return [...found].sort();
}
