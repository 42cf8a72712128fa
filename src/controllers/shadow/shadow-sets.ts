import { withLimit, createWorkQueue, type ObjectChange, type WorkQueue, type WorkResult } from '../../kube/index.ts';
import { readApplicationSet, type ApplicationSet } from '../../model/index.ts';
import { canonicalJson, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { ApplicationSetContext } from '../applicationset/application-set-context.ts';
import { generateApplications, GenerationError } from '../applicationset/generate-applications.ts';
import { ownerSetOf } from '../applicationset/owned-applications.ts';
import { planChanges } from '../applicationset/plan-changes.ts';
import { expectObjects } from './expect-objects.ts';
import { describeSet, findReasonToWaitForSet, judgeSet, type SetFinding } from './judge-set.ts';
import type { ShadowLedger } from './shadow-ledger.ts';

const againMs = 2_000;
const doubtMs = 20_000;
const restMs = 180_000;
const generationLimitMs = 120_000;
const stopLimitMs = 10_000;

/** Looks at application sets that another installation looks after. */
export interface ShadowSets {
  start(): void;
  stop(): Promise<void>;
}

/** Generates what the sets would make, and notes whether that is what is there. Writes nothing. */
export function createShadowSets(ledger: ShadowLedger, context: ApplicationSetContext): ShadowSets {
  return new ShadowSetQueue(ledger, context);
}

class ShadowSetQueue implements ShadowSets {
  readonly #ledger: ShadowLedger;
  readonly #context: ApplicationSetContext;
  readonly #queue: WorkQueue;
  /** Since when a set is seen differently, by its place. */
  readonly #doubts = new Map<string, number>();
  readonly #ends: (() => void)[] = [];

  constructor(ledger: ShadowLedger, context: ApplicationSetContext) {
    this.#ledger = ledger;
    this.#context = context;
    const { log, timers, settings } = context;
    const concurrency = settings.current.parameters.appsetConcurrency;
    this.#queue = createWorkQueue({ work: (key, signal) => this.#look(key, signal), concurrency, log, timers });
    const expectations = {
      isNamespaceEnabled: context.isNamespaceEnabled,
      expect: (set: KubeObject) => ledger.expectSet(set),
      forget: (namespace: string, name: string) => ledger.forgetSet(namespace, name),
    };
    this.#ends.push(expectObjects(context.applicationSets, expectations));
  }

  start(): void {
    const { applicationSets, applications } = this.#context;
    this.#ends.push(
      applicationSets.subscribe(({ object }) => this.#queue.add(`${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`)),
      applications.subscribe((change) => this.#onApplication(change)),
    );
    for (const { metadata } of applicationSets.values()) this.#queue.add(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
    this.#queue.start();
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#queue.drain(stopLimitMs);
  }

  /** What comes, goes or is written otherwise may be what was missing or too much; how an application does is nothing to its set. */
  #onApplication({ object, previous }: ObjectChange): void {
    const owner = ownerSetOf(object) ?? (previous && ownerSetOf(previous));
    if (owner === undefined || decidedOf(object) === (previous && decidedOf(previous))) return;
    this.#queue.add(`${object.metadata.namespace ?? ''}/${owner.name}`);
  }

  async #look(key: string, signal: AbortSignal): Promise<WorkResult> {
    const { projects, applications, applicationSets, isNamespaceEnabled, clock } = this.#context;
    if (!projects.synced || !applications.synced) return { requeueAfterMs: 1_000 };
    const [namespace = '', name = ''] = key.split('/');
    const object = applicationSets.get({ namespace, name });
    if (object === undefined || !isNamespaceEnabled(namespace)) {
      this.#ledger.forgetSet(namespace, name);
      this.#doubts.delete(key);
      return 'done';
    }
    const set = readApplicationSet(object);
    const reason = findReasonToWaitForSet(set);
    if (reason !== undefined) {
      this.#ledger.noteSet({ ...describeSet(set), reason });
      return { requeueAfterMs: againMs };
    }
    const found = judgeSet(set, await this.#find(set, this.#doubts.has(key), signal));
    const sinceMs = this.#doubts.get(key) ?? clock.nowMs();
    const doesAgree = found.disagreements.length === 0;
    if (doesAgree) this.#doubts.delete(key);
    else this.#doubts.set(key, sinceMs);
    const isSettled = doesAgree || clock.nowMs() - sinceMs >= this.#ledger.patienceMs;
    this.#ledger.noteSet(isSettled ? found : { ...found, verdict: 'pending', reason: 'seen differently only for a moment yet' });
    if (!isSettled) return { requeueAfterMs: againMs };
    return { requeueAfterMs: doesAgree ? restMs : doubtMs };
  }

  async #find(set: ApplicationSet, fresh: boolean, signal: AbortSignal): Promise<SetFinding> {
    const { timers, settings } = this.#context;
    const options = { ...this.#context, strictTokens: settings.current.parameters.appsetTokenRefStrict, fresh };
    try {
      const generated = await withLimit({ timers, limitMs: generationLimitMs, signal }, (limited) =>
        generateApplications(set, { ...options, signal: limited }),
      );
      return { kind: 'planned', changes: await planChanges(this.#context, set, { generated, signal }) };
    } catch (error) {
      if (!(error instanceof GenerationError)) throw error;
      return { kind: 'failed', message: error.message };
    }
  }
}

/** What a set decides about of an application. */
function decidedOf({ metadata, ...rest }: KubeObject): string {
  const { labels = {}, annotations = {}, finalizers = [] } = metadata;
  return canonicalJson({ labels, annotations, finalizers, spec: rest['spec'] ?? null } as unknown as JsonValue);
}
