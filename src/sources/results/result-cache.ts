import { createHash } from 'node:crypto';
import type { Clock } from '../../base/index.ts';
import { canonicalJson } from '../../objects/index.ts';
import type { JsonValue, KubeObject } from '../../objects/index.ts';
import type { SourceLimits } from '../limits.ts';
import type { ResultStore } from './result-store.ts';

/** What rendering gave, without what depends on the commit. */
export interface RenderResult {
  readonly objects: readonly KubeObject[];
  readonly commands: readonly string[];
}

/** Where a result came from. */
export type ResultOrigin = 'memory' | 'disk' | 'render';

/**
 * How long a result stands: `always` where everything that it was made from is in its key; `brief` where something of it is elsewhere and may
 * change; `unkept` where it is nobody's business afterwards, and no disk's.
 */
export type ResultHold = 'always' | 'brief' | 'unkept';

/** Results by what they were made from: a commit that does not touch that finds them again, and so does a process that is started anew. */
export interface ResultCache {
  /** What it answers with is frozen. */
  get(key: string, hold: ResultHold): Promise<RenderResult | undefined>;
  /** `json` is that of the objects. Answers with what is to be used from now on: it is frozen. */
  set(key: string, result: RenderResult & { readonly json: string; readonly hold: ResultHold }): Promise<RenderResult>;
}

export interface ResultCacheOptions {
  readonly limits: SourceLimits;
  readonly clock: Clock;
  readonly store: ResultStore;
  readonly report: (origin: ResultOrigin) => void;
}

/** A sign of use for the disk, no oftener than needed. */
const TOUCH_EVERY_MS = 3_600_000;

interface Kept {
  readonly result: RenderResult;
  readonly characters: number;
  readonly madeAtMs: number;
  touchedAtMs: number;
  usedAtMs: number;
}

export function createResultCache({ limits, clock, store, report }: ResultCacheOptions): ResultCache {
  const { resultsMax, resultsCharactersMax, resultIdleMs, pluginResultMs } = limits;
  const results = new Map<string, Kept>();
  let total = 0;

  function remove(key: string): void {
    total -= results.get(key)?.characters ?? 0;
    results.delete(key);
  }

  function keep(key: string, result: RenderResult, { characters, madeAtMs }: { readonly characters: number; readonly madeAtMs: number }) {
    freeze(result);
    remove(key);
    const nowMs = clock.nowMs();
    results.set(key, { result, characters, madeAtMs, touchedAtMs: nowMs, usedAtMs: nowMs });
    total += characters;
    for (const [oldest, { usedAtMs }] of results) {
      if (results.size <= resultsMax && total <= resultsCharactersMax && nowMs - usedAtMs < resultIdleMs) break;
      remove(oldest);
    }
    return result;
  }

  const isOver = (hold: ResultHold, madeAtMs: number): boolean => hold === 'brief' && clock.nowMs() - madeAtMs >= pluginResultMs;

  async function find(key: string, hold: ResultHold): Promise<RenderResult | undefined> {
    const text = await store.read(key, hold === 'brief' ? 'brief' : 'kept');
    if (text === undefined) return undefined;
    const { madeAtMs, commands, objects } = JSON.parse(text) as RenderResult & { readonly madeAtMs: number };
    if (isOver(hold, madeAtMs)) return undefined;
    report('disk');
    return keep(key, { objects, commands }, { characters: text.length, madeAtMs });
  }

  return {
    async get(key, hold) {
      const kept = results.get(key);
      if (kept === undefined) return hold === 'unkept' ? undefined : await find(key, hold);
      if (isOver(hold, kept.madeAtMs)) return undefined;
      // A Map keeps the order of insertion: what is used moves to the end, and the front goes first.
      results.delete(key);
      results.set(key, kept);
      kept.usedAtMs = clock.nowMs();
      if (hold === 'always' && clock.nowMs() - kept.touchedAtMs >= TOUCH_EVERY_MS) {
        kept.touchedAtMs = clock.nowMs();
        await store.touch(key);
      }
      report('memory');
      return kept.result;
    },
    async set(key, { objects, commands, json, hold }) {
      report('render');
      const madeAtMs = clock.nowMs();
      const result = keep(key, { objects, commands }, { characters: json.length, madeAtMs });
      const text = `{"madeAtMs":${madeAtMs},"commands":${JSON.stringify(commands)},"objects":${json}}`;
      if (hold !== 'unkept') await store.write(key, hold === 'brief' ? 'brief' : 'kept', text);
      return result;
    },
  };
}

/** The name of a result: a hash of everything that it depends on. */
export function resultKey(parts: JsonValue): string {
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}

const digests = new WeakMap<readonly string[], string>();

/** The name of a long list that is asked for again and again: the API versions of a cluster. */
export function listDigest(list: readonly string[]): string {
  let digest = digests.get(list);
  if (digest === undefined) {
    digest = createHash('sha256').update(list.join('\n')).digest('hex');
    digests.set(list, digest);
  }
  return digest;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const entry of Object.values(value)) freeze(entry);
}
