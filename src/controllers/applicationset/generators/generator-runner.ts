import { createHash } from 'node:crypto';
import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationSetGenerator } from '../../../model/index.ts';
import { canonicalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../objects/index.ts';
import { deepCopy } from '../../../template/index.ts';
import type { RenderText } from '../templates/render-text.ts';
import { withPrefix } from './describe-error.ts';
import { generatorKeys, type GeneratorKey, type GeneratorRequest, type GeneratorTable, type ParameterSet } from './generator.ts';
import { interpolateGenerator } from './interpolate.ts';
import { combineSets } from './matrix-generator.ts';
import { mergeSets } from './merge-generator.ts';
import type { Pacer } from './pace.ts';
import { countAll, countValues, type Room } from './room.ts';
import { selectParameters } from './select-parameters.ts';

/** Those that are not made of others. */
export type LeafKey = Exclude<GeneratorKey, 'matrix' | 'merge'>;
export type LeafGenerators = { readonly [Key in LeafKey]?: GeneratorTable[Key] };

/** One run over all generators of an application set. */
export interface GenerationScope extends Omit<GeneratorRequest<GeneratorKey>, 'spec'> {
  readonly renderStrictly: RenderText | undefined;
  /** Called between the parts of long work. */
  readonly pacer: Pacer;
  /** For what all generators hold. */
  readonly room: Room;
  /** What leaves answered in this run, by a digest of the question: a matrix asks the same often. */
  readonly answers: Map<string, Promise<readonly ParameterSet[]>>;
}

export interface GeneratorRunner {
  /** What an entry holds, in the order in which it runs. */
  keysOf(entry: ApplicationSetGenerator): readonly GeneratorKey[];
  run(entry: ApplicationSetGenerator, key: GeneratorKey, scope: GenerationScope): Promise<readonly ParameterSet[]>;
  /** The soonest that any part of an entry would like to be asked again. */
  requeueAfterMs(entry: ApplicationSetGenerator): number | undefined;
}

/** A set of more is a mistake or an attack, and is refused before anything is made of it. */
export const setsMax = 10_000;
const leafKeys = generatorKeys.filter((key): key is LeafKey => key !== 'matrix' && key !== 'merge');
const emptyMessage = 'ApplicationSet is empty';

export function createGeneratorRunner(leaves: LeafGenerators): GeneratorRunner {
  const runner: GeneratorRunner = {
    keysOf: (entry) => presentKeys(entry as JsonObject, generatorKeys),
    run: (entry, key, scope) => runKey(leaves, entry as JsonObject, { key, scope, depth: 0 }),
    requeueAfterMs: (entry) => soonest(leaves, entry as JsonObject, 0),
  };
  return runner;
}

interface Turn {
  readonly key: GeneratorKey;
  readonly scope: GenerationScope;
  /** 0 for what stands in the application set itself. */
  readonly depth: number;
}

async function runKey(leaves: LeafGenerators, entry: JsonObject, turn: Turn): Promise<readonly ParameterSet[]> {
  const { key, scope, depth } = turn;
  const spec = entry[key];
  if (!isJsonObject(spec)) throw new ApiError(Code.InvalidArgument, emptyMessage);
  const sets = await (key === 'matrix'
    ? runMatrix(leaves, spec, scope, depth)
    : key === 'merge'
      ? runMerge(leaves, spec, scope, depth)
      : runLeaf(leaves, key, spec, scope));
  if (sets.length > setsMax) throw tooMany();
  return selectParameters(sets, entry['selector']);
}

/** Templates may change what they are given: what one of them does is not for another to see. */
function ownCopy(set: ParameterSet): ParameterSet {
  return deepCopy(set) as ParameterSet;
}

async function runLeaf(leaves: LeafGenerators, key: LeafKey, spec: JsonObject, scope: GenerationScope): Promise<readonly ParameterSet[]> {
  const leaf = leaves[key] as GeneratorTable[LeafKey] | undefined;
  if (leaf === undefined) throw new ApiError(Code.Unimplemented, `the generator ${key} is not supported yet`);
  // A matrix may ask thousands of questions that are each as long as the set itself.
  const question = createHash('sha256')
    .update(`${key} ${canonicalJson(spec)}`)
    .digest('base64');
  const known = scope.answers.get(question);
  // Others have their turn also before one is asked that may answer at once.
  if (known === undefined) await scope.pacer.pace();
  const answer = known ?? scope.pacer.waitFor(() => leaf.generate({ ...scope, spec } as never));
  scope.answers.set(question, answer);
  const sets = await answer;
  if (known === undefined) scope.room.take(countAll(sets));
  return scope.goTemplate ? sets.map(ownCopy) : sets;
}

async function runMatrix(
  leaves: LeafGenerators,
  spec: JsonObject,
  scope: GenerationScope,
  depth: number,
): Promise<readonly ParameterSet[]> {
  const children = childrenOf(spec);
  const [first, second] = children;
  if (first === undefined || second === undefined)
    throw new ApiError(Code.InvalidArgument, 'found less than two generators, Matrix support only two');
  if (children.length > 2) throw new ApiError(Code.InvalidArgument, 'found more than two generators, Matrix support only two');
  const { goTemplate, renderText, renderStrictly } = scope;
  const outer = await withPrefix('error failed to get params for first generator in matrix generator: ', () =>
    runChild(leaves, first, { scope, depth, owner: 'matrix' }),
  );
  const combined: ParameterSet[] = [];
  for (const one of outer) {
    const inner = await withPrefix('failed to get params for second generator in the matrix generator: ', async () => {
      const interpolated = interpolateGenerator(second, { parameters: one, renderText, renderStrictly });
      return runChild(leaves, interpolated, { scope, depth, owner: 'matrix' });
    });
    // Each of them has all values of both.
    scope.room.take(inner.length * countValues(one) + countAll(inner));
    for (const other of inner) combined.push(combineSets(goTemplate ? ownCopy(one) : one, other, goTemplate));
    if (combined.length > setsMax) throw tooMany();
    await scope.pacer.pace();
  }
  return combined;
}

async function runMerge(leaves: LeafGenerators, spec: JsonObject, scope: GenerationScope, depth: number): Promise<readonly ParameterSet[]> {
  const children = childrenOf(spec);
  if (children.length < 2) throw new ApiError(Code.InvalidArgument, 'found less than two generators, Merge requires two or more');
  const mergeKeys = isJsonArray(spec['mergeKeys']) ? spec['mergeKeys'].map(String) : [];
  if (mergeKeys.length === 0) throw new ApiError(Code.InvalidArgument, 'no merge keys were specified, Merge requires at least one');
  const results: (readonly ParameterSet[])[] = [];
  for (const [index, child] of children.entries()) {
    const prefix = `error getting param sets from generators: error getting params from generator ${index + 1} of ${children.length}: `;
    results.push(await withPrefix(prefix, () => runChild(leaves, child, { scope, depth, owner: 'merge' })));
  }
  return mergeSets(results, mergeKeys, scope.goTemplate);
}

interface ChildTurn {
  readonly scope: GenerationScope;
  /** Of the generator that it belongs to. */
  readonly depth: number;
  readonly owner: 'matrix' | 'merge';
}

async function runChild(leaves: LeafGenerators, child: JsonObject, { scope, depth, owner }: ChildTurn): Promise<readonly ParameterSet[]> {
  const [key, ...others] = presentKeys(child, keysAt(depth + 1));
  if (key === undefined) throw new ApiError(Code.InvalidArgument, 'child generator generated no parameters');
  if (others.length > 0) throw new ApiError(Code.InvalidArgument, `found more than one generator in ${owner}.Generators`);
  return withPrefix('child generator returned an error on parameter generation: ', () =>
    runKey(leaves, child, { key, scope, depth: depth + 1 }),
  );
}

/** A matrix may hold a matrix or a merge, but these hold neither. */
function keysAt(depth: number): readonly GeneratorKey[] {
  return depth < 2 ? generatorKeys : leafKeys;
}

function presentKeys(entry: JsonObject, keys: readonly GeneratorKey[]): readonly GeneratorKey[] {
  return keys.filter((key) => Object.hasOwn(entry, key) && isJsonObject(entry[key]));
}

function childrenOf(spec: JsonObject): readonly JsonObject[] {
  const { generators } = spec as { readonly generators?: JsonValue };
  return isJsonArray(generators) ? generators.filter(isJsonObject) : [];
}

function soonest(leaves: LeafGenerators, entry: JsonObject, depth: number): number | undefined {
  const wishes = presentKeys(entry, keysAt(depth)).flatMap((key): (number | undefined)[] => {
    const spec = entry[key] as JsonObject;
    if (key === 'matrix' || key === 'merge') return childrenOf(spec).map((child) => soonest(leaves, child, depth + 1));
    return [leaves[key]?.requeueAfterMs(spec as never)];
  });
  const positive = wishes.filter((wish): wish is number => wish !== undefined && wish > 0);
  return positive.length === 0 ? undefined : Math.min(...positive);
}

export function tooMany(): ApiError {
  return new ApiError(Code.ResourceExhausted, `the generators yield more than ${setsMax} sets of parameters`);
}
