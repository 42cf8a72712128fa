import type { CallOptions, Discovery, KubeApi, ListOptions, ObjectList, WatchEvent, WatchOptions } from '../../src/kube/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';

export interface Script {
  list(options: ListOptions): Promise<ObjectList>;
  watch(options: WatchOptions): AsyncIterable<WatchEvent>;
  discover?(options: CallOptions): Promise<Discovery>;
}

/** An API that answers lists and watches as a test says, for what no real server does on command. */
export function scriptedKubeApi(script: Script): KubeApi {
  const unscripted = (): never => {
    throw new Error('not in the script');
  };
  return {
    list: (_type, options = {}) => script.list(options),
    watch: (_type, options = {}) => script.watch(options),
    discover: (options = {}) => (script.discover ? script.discover(options) : unscripted()),
    openApi: unscripted,
    version: unscripted,
    get: unscripted,
    create: unscripted,
    update: unscripted,
    patch: unscripted,
    delete: unscripted,
    deleteCollection: unscripted,
    logs: unscripted,
  };
}

/** A watch that a test feeds. It ends when it is told to, or when its signal is aborted. */
export class ScriptedWatch implements AsyncIterable<WatchEvent> {
  readonly options: WatchOptions;
  readonly #events: WatchEvent[] = [];
  #end: { readonly error?: Error } | undefined;
  #wake: () => void = () => undefined;

  constructor(options: WatchOptions) {
    this.options = options;
    options.signal?.addEventListener('abort', () => this.fail(new Error('aborted')));
  }

  /** How many events nobody has read yet. */
  get unread(): number {
    return this.#events.length;
  }

  get isOpen(): boolean {
    return this.#end === undefined;
  }

  send(type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK', object: KubeObject): void {
    this.sendEvent({ type, object });
  }

  sendEvent(event: WatchEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#end ??= {};
    this.#wake();
  }

  fail(error: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** The server accepts the watch. */
  open(): void {
    this.options.onOpen?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent, void, void> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) yield event;
      else if (this.#end?.error) throw this.#end.error;
      else if (this.#end) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** A ConfigMap with the name and version that a test needs. */
export function scriptedObject(name: string, resourceVersion: string, data?: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'one', name, resourceVersion }, ...(data && { data }) };
}

export function scriptedList(resourceVersion: string, items: readonly KubeObject[], token?: string): ObjectList {
  return { metadata: { resourceVersion, ...(token !== undefined && { continue: token }) }, items };
}
