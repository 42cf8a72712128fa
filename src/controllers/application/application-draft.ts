import type { Application } from '../../model/index.ts';
import type { ControllerContext } from './controller-context.ts';
import { refreshAnnotation } from './plan-refresh.ts';
import { writeApplication, type ApplicationChange } from './write-application.ts';

const unwrittenMaxDefaultMs = 500;

/** What is done when a change has been written, with the application as it is then. */
type Afterwards = (stored: Application) => void;

/**
 * An application while it is worked on. What may be done once more without harm need not be written down before the next thing is done: it
 * is noted, and written with the next change, or by itself where that takes long. All writes are guarded by the version that was read.
 */
export interface ApplicationDraft {
  /** With what is noted. */
  readonly application: Application;
  note(change: ApplicationChange, afterwards?: Afterwards): void;
  /** Writes down what is noted, and this change. False where the application is gone. Throws StaleApplication. */
  write(change?: ApplicationChange, afterwards?: Afterwards): Promise<boolean>;
  /** Writes down what is still noted. */
  close(): Promise<void>;
}

export function openDraft(context: ControllerContext, application: Application, signal: AbortSignal): ApplicationDraft {
  return new NotedDraft(context, application, signal);
}

class NotedDraft implements ApplicationDraft {
  readonly #context: ControllerContext;
  readonly #signal: AbortSignal;
  #stored: Application;
  #change: ApplicationChange | undefined;
  #afterwards: Afterwards[] = [];
  #cancelTimer: (() => void) | undefined;
  /** Writes follow one another: each is guarded by the version that the one before left. */
  #lastWrite: Promise<boolean> = Promise.resolve(true);

  constructor(context: ControllerContext, application: Application, signal: AbortSignal) {
    this.#context = context;
    this.#stored = application;
    this.#signal = signal;
  }

  get application(): Application {
    return this.#change === undefined ? this.#stored : withChange(this.#stored, this.#change);
  }

  note(change: ApplicationChange, afterwards?: Afterwards): void {
    this.#change = { ...this.#change, ...change };
    if (afterwards !== undefined) this.#afterwards.push(afterwards);
    const { timers, unwrittenMaxMs = unwrittenMaxDefaultMs } = this.#context;
    // Whoever writes next learns of a failure.
    this.#cancelTimer ??= timers.schedule(unwrittenMaxMs, () => void this.#enqueueWrite().catch(() => undefined));
  }

  write(change?: ApplicationChange, afterwards?: Afterwards): Promise<boolean> {
    if (change !== undefined) this.note(change, afterwards);
    return this.#enqueueWrite();
  }

  async close(): Promise<void> {
    await this.#enqueueWrite();
  }

  #enqueueWrite(): Promise<boolean> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#lastWrite = this.#lastWrite.then((isThere) => isThere && this.#writeOpen());
    return this.#lastWrite;
  }

  async #writeOpen(): Promise<boolean> {
    const change = this.#change;
    if (change === undefined) return true;
    const afterwards = this.#afterwards;
    this.#afterwards = [];
    const stored = await writeApplication(this.#context, this.#stored, change, this.#signal);
    if (stored === undefined) return false;
    this.#stored = stored;
    // What was noted while it was on its way is still open.
    if (this.#change === change) this.#change = undefined;
    for (const run of afterwards) run(stored);
    return true;
  }
}

function withChange(stored: Application, change: ApplicationChange): Application {
  const { operation: before, ...rest } = stored;
  const operation = change.operation ?? (change.isOperationOver === true ? undefined : before);
  const { [refreshAnnotation]: asked, ...annotations } = stored.metadata.annotations ?? {};
  const isAnswered = change.isRefreshed === true && asked !== undefined;
  return {
    ...rest,
    ...(operation && { operation }),
    metadata: {
      ...stored.metadata,
      ...(change.finalizers && { finalizers: [...change.finalizers] }),
      ...(isAnswered && { annotations }),
    },
    ...(change.status && { status: change.status }),
  };
}
