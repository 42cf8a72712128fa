import { pause } from '../../base/index.ts';
import { isJsonObject } from '../../objects/index.ts';
import type { KubeApi, ReflectorEvent, ResourceType, Trouble } from '../../kube/index.ts';
import type { CacheContext } from './cache-context.ts';
import { chosenKindId, type ChosenKind } from './choose-kinds.ts';
import { followKind, type KindFollower } from './kind-follower.ts';
import type { KindTrouble } from './live-cache.ts';
import type { StoredRow } from './make-row.ts';
import { RowIndex } from './row-index.ts';

const ACCESS_REVIEW: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
};

export interface KindFollowersOptions {
  readonly api: KubeApi;
  readonly context: CacheContext;
  readonly isTelling: () => boolean;
  /** What happens to objects of kinds that say which kinds there are. */
  readonly onDefinition: (type: ResourceType, event: ReflectorEvent<StoredRow>) => void;
  /** The cluster does not serve a kind any more that is followed, or not in that version, as after it was upgraded. */
  readonly onGone: () => void;
}

/** All the kinds of a cluster that are followed, and one index of their rows. */
export class KindFollowers {
  readonly #options: KindFollowersOptions;
  readonly #byId = new Map<string, KindFollower>();
  /** By group and kind; several where namespaces are followed one by one. */
  readonly #byKind = new Map<string, KindFollower[]>();
  /** Kinds that the cluster does not let us list, and until when we believe that. */
  readonly #denied = new Map<string, number>();
  readonly #stopping = new Set<Promise<void>>();
  readonly index: RowIndex;

  constructor(options: KindFollowersOptions) {
    this.#options = options;
    this.index = new RowIndex((group, kind, namespace, name) => this.find(group, kind, namespace, name));
  }

  /** Starts and stops until exactly these are followed. Returns whether that changed anything. */
  follow(wanted: readonly ChosenKind[]): boolean {
    const nowMs = this.#options.context.timers.nowMs();
    const ids = new Set<string>();
    let changed = false;
    for (const kind of wanted) {
      const id = chosenKindId(kind);
      ids.add(id);
      if (this.#byId.has(id) || (this.#denied.get(id) ?? 0) > nowMs) continue;
      this.#start(id, kind);
      changed = true;
    }
    for (const id of this.#byId.keys()) {
      if (ids.has(id)) continue;
      this.#drop(id);
      changed = true;
    }
    return changed;
  }

  /** Resolves when every kind has been read, or has failed, or is silent: one that never answers must not hold up the others. */
  async settled(): Promise<void> {
    const { timers, limits } = this.#options.context;
    const open = new Map([...this.#byId.values()].map((follower) => [follower, 0]));
    const finished = new AbortController();
    const all = Promise.all([...open.keys()].map((follower) => follower.settled.then(() => open.delete(follower))));
    const isOver = all.then(() => finished.abort());
    while (!finished.signal.aborted) {
      await Promise.race([isOver, pause(timers, limits.silentMs, finished.signal)]);
      const moving = [...open].filter(([{ rows }, before]) => rows.size > before);
      if (moving.length === 0) finished.abort();
      for (const [follower] of moving) open.set(follower, follower.rows.size);
    }
  }

  get kinds(): number {
    return this.#byKind.size;
  }

  get rows(): number {
    let rows = 0;
    for (const follower of this.#byId.values()) rows += follower.rows.size;
    return rows;
  }

  /** Why nothing at all could be read; undefined where something was. */
  get commonTrouble(): Trouble | undefined {
    let first: Trouble | undefined;
    for (const { trouble } of this.#byId.values()) {
      if (trouble === undefined) return undefined;
      first ??= trouble.trouble;
    }
    return first;
  }

  find(group: string, kind: string, namespace: string, name: string): StoredRow | undefined {
    const key = namespace === '' ? name : `${namespace}/${name}`;
    for (const follower of this.#byKind.get(`${group}/${kind}`) ?? []) {
      const row = follower.rows.get(key);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  *rowsOf(group: string, kind: string): Iterable<StoredRow> {
    for (const follower of this.#byKind.get(`${group}/${kind}`) ?? []) for (const [, row] of follower.rows.rows()) yield row;
  }

  /** Whether every object of a kind in a namespace is known. */
  isKnown(group: string, kind: string, namespace: string): boolean {
    const followers = this.#byKind.get(`${group}/${kind}`) ?? [];
    return followers.some((one) => (one.namespace === undefined || one.namespace === namespace) && one.rows.synced);
  }

  /** Somebody knows of an object that is not so here: who follows its kind there makes sure. */
  doubt(group: string, kind: string, namespace: string): void {
    for (const follower of this.#byKind.get(`${group}/${kind}`) ?? [])
      if (follower.namespace === undefined || follower.namespace === namespace) follower.rows.doubt();
  }

  troubles(): KindTrouble[] {
    return [...this.#byId.values()].flatMap(({ trouble }) => (trouble === undefined ? [] : [trouble]));
  }

  async stop(): Promise<void> {
    for (const id of this.#byId.keys()) this.#drop(id);
    await Promise.all(this.#stopping);
  }

  #start(id: string, kind: ChosenKind): void {
    const { onDefinition, onGone, ...options } = this.#options;
    const follower = followKind({
      ...options,
      ...kind,
      index: this.index,
      onEvent: (event) => {
        if (isDefinition(kind.type)) onDefinition(kind.type, event);
      },
      onWaiting: ({ cause }) => {
        if (cause.reason === 'gone') onGone();
        else void this.#judge(id, kind, cause);
      },
    });
    this.#byId.set(id, follower);
    const name = `${kind.type.group}/${kind.type.kind}`;
    this.#byKind.set(name, [...(this.#byKind.get(name) ?? []), follower]);
  }

  #drop(id: string): void {
    const follower = this.#byId.get(id);
    if (follower === undefined) return;
    this.#byId.delete(id);
    const name = `${follower.type.group}/${follower.type.kind}`;
    const rest = (this.#byKind.get(name) ?? []).filter((one) => one !== follower);
    if (rest.length === 0) this.#byKind.delete(name);
    else this.#byKind.set(name, rest);
    const stopping = follower.stop().finally(() => this.#stopping.delete(stopping));
    this.#stopping.add(stopping);
  }

  /**
   * Where settings say so, a kind that we may not list is let go instead of being asked for again and again. One that has been read stays, with
   * its trouble: what is known to be there must not vanish because rights or credentials are in disorder for a moment.
   */
  async #judge(id: string, { type, namespace }: ChosenKind, cause: Trouble): Promise<void> {
    const { snapshot, timers, limits, log } = this.#options.context;
    const mode = snapshot().general.respectRbac;
    const follower = this.#byId.get(id);
    if (mode === '' || cause.reason !== 'forbidden' || follower === undefined || follower.rows.synced) return;
    if (mode === 'strict' && (await this.#mayList(type, namespace))) return;
    // Meanwhile it may have been read, or another may have taken its place.
    if (this.#byId.get(id) !== follower || follower.rows.synced) return;
    log.debug('A kind is not followed because the cluster does not allow it', { group: type.group, kind: type.kind, namespace });
    this.#denied.set(id, timers.nowMs() + limits.rediscoverMs);
    this.#drop(id);
  }

  async #mayList(type: ResourceType, namespace: string | undefined): Promise<boolean> {
    const resourceAttributes = { verb: 'list', group: type.group, resource: type.plural, ...(namespace !== undefined && { namespace }) };
    try {
      const review = await this.#options.api.create(ACCESS_REVIEW, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        metadata: {},
        spec: { resourceAttributes },
      });
      return isJsonObject(review['status']) && review['status']['allowed'] === true;
    } catch {
      // Without an answer the kind stays, with its trouble: what may be managed must not vanish on a guess.
      return true;
    }
  }
}

function isDefinition({ group, kind }: ResourceType): boolean {
  return (
    (group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition') ||
    (group === 'apiregistration.k8s.io' && kind === 'APIService')
  );
}
