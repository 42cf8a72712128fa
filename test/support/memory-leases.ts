import { ApiError, Code, type Timers } from '../../src/base/index.ts';
import type { GetOptions, KubeApi, WriteOptions } from '../../src/kube/index.ts';
import { statusError, type KubeObject } from '../../src/objects/index.ts';
import { scriptedKubeApi } from './scripted-kube-api.ts';

/** How a client of the leases reaches them just now. */
export type Line = 'open' | 'refused' | 'silent' | 'answers lost';

export interface LeaseClient {
  readonly api: KubeApi;
  line: Line;
  /** Each way. */
  delayMs: number;
  /** How many requests it has made. */
  requests: number;
  /** What those that read or write one lease say of their urgency. */
  readonly isUrgent: Set<boolean | undefined>;
}

/** Objects with versions in memory, and lines to them that a test cuts: enough of an API for leases under a clock that tests move. */
export class MemoryLeases {
  readonly objects = new Map<string, KubeObject>();
  readonly #timers: Timers;
  #version = 0;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  client(): LeaseClient {
    const client: LeaseClient = {
      api: scriptedKubeApi({ list: unused, watch: unused }),
      line: 'open',
      delayMs: 0,
      requests: 0,
      isUrgent: new Set(),
    };
    const call = <Result>(run: () => Result): Promise<Result> => this.#call(client, run);
    const callOne = <Result>(run: () => Result, options: GetOptions | WriteOptions = {}): Promise<Result> => {
      client.isUrgent.add(options.urgent);
      return call(run);
    };
    Object.assign(client.api, {
      get: (_type, { name }, options) => callOne(() => this.#get(name), options),
      create: (_type, object, options) => callOne(() => this.#create(object), options),
      update: (_type, object, options) => callOne(() => this.#update(object), options),
      delete: (_type, { name }, options) => call(() => this.#delete(name, options?.preconditions?.resourceVersion)),
      list: () => call(() => ({ metadata: { resourceVersion: `${this.#version}` }, items: [...this.objects.values()] })),
    } satisfies Partial<KubeApi>);
    return client;
  }

  async #call<Result>(client: LeaseClient, run: () => Result): Promise<Result> {
    client.requests += 1;
    const isCut = (...lines: readonly Line[]): boolean => lines.includes(client.line);
    await this.#travel(client);
    if (isCut('silent')) return await new Promise<never>(() => undefined);
    if (isCut('refused')) throw new ApiError(Code.Unavailable, 'connection refused');
    const result = run();
    await this.#travel(client);
    if (isCut('answers lost', 'silent')) return await new Promise<never>(() => undefined);
    return result;
  }

  #travel({ delayMs }: LeaseClient): Promise<void> {
    return delayMs === 0 ? Promise.resolve() : new Promise((resolve) => this.#timers.schedule(delayMs, resolve));
  }

  #get(name: string): KubeObject {
    const object = this.objects.get(name);
    if (!object) throw statusError('NotFound', `leases "${name}" not found`);
    return object;
  }

  #create(object: KubeObject): KubeObject {
    const name = object.metadata.name ?? '';
    if (this.objects.has(name)) throw statusError('AlreadyExists', `leases "${name}" already exists`);
    return this.#put(name, object, `uid-${this.#version}`);
  }

  #update(object: KubeObject): KubeObject {
    const name = object.metadata.name ?? '';
    const { resourceVersion, uid } = this.#get(name).metadata;
    if (resourceVersion !== object.metadata.resourceVersion) throw statusError('Conflict', 'the object has been modified');
    return this.#put(name, object, uid ?? '');
  }

  #delete(name: string, resourceVersion: string | undefined): KubeObject {
    const object = this.#get(name);
    if (resourceVersion !== undefined && object.metadata.resourceVersion !== resourceVersion) throw statusError('Conflict', 'modified');
    this.objects.delete(name);
    return object;
  }

  #put(name: string, object: KubeObject, uid: string): KubeObject {
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, uid, resourceVersion: `${this.#version}` } };
    this.objects.set(name, stored);
    return stored;
  }
}

function unused(): never {
  throw new Error('not in the script');
}
