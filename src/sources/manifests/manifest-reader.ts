import { Worker } from 'node:worker_threads';
import { ApiError, Code } from '../../base/index.ts';
import type { Logger, Timers } from '../../base/index.ts';
import type { JsonValue, KubeObject } from '../../objects/index.ts';
import type { SourceLimits } from '../limits.ts';
import { formatGoDuration } from '../process/format-go-duration.ts';
import type { JsonnetContext } from '../jsonnet/jsonnet-context.ts';
import type { JsonnetImport } from '../../template/index.ts';
import { decodeManifests, decodeValue } from './decode-manifests.ts';
import type { DecodeLimits, ManifestText } from './decode-manifests.ts';
import { ManifestError } from './manifest-error.ts';
import { createSpareTime } from './spare-time.ts';

export interface DecodeJob {
  /** Whether the texts are manifests, one text is any value, or they are programs whose imports are looked for. */
  readonly as: 'objects' | 'value' | 'imports';
  readonly texts: readonly ManifestText[];
  /** What programs among the texts may read. */
  readonly jsonnet?: JsonnetContext | undefined;
  readonly limits: DecodeLimits;
}

export interface DecodeReply {
  readonly json?: string;
  /** For the caller. */
  readonly refusal?: string;
  /** For the log. */
  readonly failure?: string;
}

/** Reads manifests on other threads, within limits of time and memory. */
export interface ManifestReader {
  /** The objects as JSON text, which is what is cached. Throws an ApiError that names the file. */
  read(
    texts: readonly ManifestText[],
    jsonnet?: JsonnetContext,
  ): Promise<{ readonly json: string; readonly objects: readonly KubeObject[] }>;
  /** The first document of any YAML text. */
  readValue(text: ManifestText): Promise<JsonValue>;
  /** What each of several Jsonnet programs may import. */
  findImports(programs: readonly Uint8Array[]): Promise<JsonnetImport[][]>;
  stop(): Promise<void>;
}

interface Slot {
  worker: Worker | undefined;
  /** What it has loaded: on a busy machine that takes longer than the work. */
  loaded: Set<'yaml' | 'jsonnet'>;
  busy: boolean;
  cancelIdle: (() => void) | undefined;
}

const THREADS = 2;
const WAITING_MAX = 10_000;
const START_LIMIT_MS = 60_000;
/** Programs may wait 500 deep for each other, with long expressions in between. */
const STACK_MEGABYTES = 32;
/** A thread without work is ended, since it holds memory; not at once, since to start one costs more than most of its work. */
const IDLE_MS = 120_000;
/** So little is read without a thread while none is there: even the worst text of this size takes less than a tenth of a second. */
const SMALL_BYTES_MAX = 4096;
const AMPERSAND = 0x26;

export function createManifestReader(limits: SourceLimits, timers: Timers, log: Logger): ManifestReader {
  const slots: Slot[] = Array.from({ length: THREADS }, () => ({
    worker: undefined,
    loaded: new Set<'yaml' | 'jsonnet'>(),
    busy: false,
    cancelIdle: undefined,
  }));
  const waiting: ((slot: Slot) => void)[] = [];
  const decodeLimits: DecodeLimits = {
    depthMax: limits.depthMax,
    objectsMax: limits.objectsMax,
    aliasedCharactersMax: limits.aliasedCharactersMax,
  };
  const spareTime = createSpareTime(timers);
  let stopped = false;

  async function take(): Promise<Slot> {
    const free = slots.find((slot) => !slot.busy && slot.worker !== undefined) ?? slots.find((slot) => !slot.busy);
    if (free === undefined) {
      if (waiting.length >= WAITING_MAX) throw new ApiError(Code.ResourceExhausted, 'too many manifests wait to be read');
      return await new Promise((resolve) => waiting.push(resolve));
    }
    free.busy = true;
    free.cancelIdle?.();
    return free;
  }

  function give(slot: Slot): void {
    const next = waiting.shift();
    if (next !== undefined) return next(slot);
    slot.busy = false;
    slot.cancelIdle = timers.schedule(IDLE_MS, () => void end(slot));
  }

  async function end(slot: Slot): Promise<void> {
    slot.cancelIdle?.();
    const { worker } = slot;
    slot.worker = undefined;
    slot.loaded.clear();
    await worker?.terminate();
  }

  async function decode(job: Omit<DecodeJob, 'limits'>): Promise<string> {
    const hasThread = slots.some(({ busy, loaded }) => !busy && loaded.has('yaml'));
    if (!hasThread && !stopped && isSmall(job) && spareTime.isLeft()) return finish(spareTime.use(() => answerHere(job, decodeLimits)));
    return await decodeBeside(job);
  }

  async function decodeBeside(job: Omit<DecodeJob, 'limits'>): Promise<string> {
    const slot = await take();
    try {
      if (stopped) throw new ApiError(Code.Canceled, 'stopped');
      slot.worker ??= startWorker(limits);
      const language = job.as === 'imports' || job.jsonnet !== undefined ? 'jsonnet' : 'yaml';
      if (!slot.loaded.has(language)) {
        const nothing: DecodeJob = { as: language === 'yaml' ? 'objects' : 'imports', texts: [], limits: decodeLimits };
        await ask(slot.worker, nothing, START_LIMIT_MS, timers);
        slot.loaded.add('yaml').add(language);
      }
      return finish(await ask(slot.worker, { ...job, limits: decodeLimits }, limits.parseMs, timers));
    } catch (error) {
      if (error instanceof ApiError && error.code !== Code.FailedPrecondition) await end(slot);
      throw error;
    } finally {
      give(slot);
    }
  }

  function finish({ json, refusal, failure }: DecodeReply): string {
    if (refusal !== undefined) throw new ApiError(Code.FailedPrecondition, refusal);
    if (json !== undefined) return json;
    log.error('manifests could not be read', { cause: failure });
    throw new ApiError(Code.Internal, 'the manifests could not be read');
  }

  return {
    async read(texts, jsonnet) {
      const json = texts.length === 0 ? '[]' : await decode({ as: 'objects', texts, jsonnet });
      return { json, objects: JSON.parse(json) as KubeObject[] };
    },
    readValue: async (text) => JSON.parse(await decode({ as: 'value', texts: [text] })) as JsonValue,
    async findImports(programs) {
      const texts = programs.map((bytes) => ({ name: '', form: 'jsonnet' as const, bytes }));
      return JSON.parse(await decode({ as: 'imports', texts })) as JsonnetImport[][];
    },
    async stop() {
      stopped = true;
      await Promise.all(slots.map(end));
    },
  };
}

/** Programs run for as long as they like, and aliases make much of little: those are for threads. */
function isSmall({ as, texts, jsonnet }: Omit<DecodeJob, 'limits'>): boolean {
  if (as === 'imports' || jsonnet !== undefined) return false;
  const bytes = texts.reduce((sum, text) => sum + text.bytes.length, 0);
  return bytes <= SMALL_BYTES_MAX && !texts.some((text) => text.bytes.includes(AMPERSAND));
}

function answerHere({ as, texts }: Omit<DecodeJob, 'limits'>, limits: DecodeLimits): DecodeReply {
  try {
    return { json: JSON.stringify(as === 'value' ? decodeValue(texts, limits) : decodeManifests(texts, limits)) };
  } catch (error) {
    if (error instanceof ManifestError) return { refusal: error.message };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function startWorker(limits: SourceLimits): Worker {
  // The packed program has the same files with another ending.
  const file = new URL(import.meta.url.endsWith('.ts') ? './manifests-worker.ts' : './manifests-worker.js', import.meta.url);
  const worker = new Worker(file, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: limits.parseMegabytesMax, stackSizeMb: STACK_MEGABYTES },
    stdin: false,
  });
  worker.unref();
  return worker;
}

function ask(worker: Worker, job: DecodeJob, limitMs: number, timers: Timers): Promise<DecodeReply> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void): void => {
      cancel();
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      act();
    };
    const fail = (message: string): void => finish(() => reject(new ApiError(Code.ResourceExhausted, message)));
    const onMessage = (reply: DecodeReply): void => finish(() => resolve(reply));
    const onError = (): void => fail('reading the manifests took too much memory');
    const onExit = (): void => fail('reading the manifests was stopped');
    const cancel = timers.schedule(limitMs, () => fail(`reading the manifests took longer than ${formatGoDuration(limitMs)}`));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(job);
  });
}
