import { createHash } from 'node:crypto';
import type { Application } from '../../model/index.ts';
import { canonicalJson, sameJson, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { ApplicationMemory } from './application-memory.ts';
import { generatePathsOf, type Target } from './load-target.ts';

/** What a sync was to, as far as that may turn out to be the same as a later commit. */
export interface AttemptedTarget {
  readonly revisions: readonly string[];
  readonly generations: readonly string[];
  /** Of the objects that were rendered. */
  readonly digest: string;
}

/** Remembers what a sync is to. Where the application does not say what it is made from, no other commit is the same. */
export function rememberAttempt(application: Application, target: Target, memory: ApplicationMemory): void {
  const { revisions, generations } = target;
  const isSaid = generatePathsOf(application) !== '';
  memory.attempted = isSaid ? { revisions, generations, digest: digestOf(target, memory) } : undefined;
}

/**
 * The revisions of the last sync, where those that were compared are others, touch nothing of what the application says that it is made
 * from, and give the same objects: charts and kustomizations may be made from more than is said.
 */
export function findSameAttempt(target: Target, memory: ApplicationMemory): readonly string[] | undefined {
  const { attempted } = memory;
  if (attempted === undefined || sameJson(attempted.revisions, target.revisions)) return undefined;
  if (!sameJson(attempted.generations, target.generations)) return undefined;
  return attempted.digest === digestOf(target, memory) ? attempted.revisions : undefined;
}

const digests = new WeakMap<readonly KubeObject[], string>();

/** Read once for each list of objects. Each look has a list of its own; where all in it are as before, the one of before is remembered. */
function digestOf({ objects }: Target, { desired }: ApplicationMemory): string {
  const before = desired?.rendered ?? [];
  const isBefore = before.length === objects.length && before.every((object, index) => object === objects[index]);
  const list = isBefore ? before : objects;
  let digest = digests.get(list);
  if (digest === undefined) {
    const hash = createHash('sha256');
    for (const object of list) hash.update(canonicalJson(object as unknown as JsonValue)).update('\n');
    digest = hash.digest('base64url');
    digests.set(list, digest);
  }
  return digest;
}
