import { createReflector, type KubeApi, type Reflector, type ReflectorEvent, type ReflectorState, type Trouble } from '../../kube/index.ts';
import type { CacheContext } from './cache-context.ts';
import type { ChosenKind } from './choose-kinds.ts';
import { createIsNews } from './ignored-updates.ts';
import type { KindTrouble } from './live-cache.ts';
import { createRowMaker, type StoredRow } from './make-row.ts';
import type { RowIndex } from './row-index.ts';

/** Nothing has failed yet, and nothing is known. */
const UNREAD: Trouble = { reason: 'unreachable', message: 'its objects have not been read yet' };

export interface KindFollowerOptions extends ChosenKind {
  readonly api: KubeApi;
  readonly context: CacheContext;
  readonly index: RowIndex;
  /** Whether changes are told yet; the first list is no news to anybody. */
  readonly isTelling: () => boolean;
  readonly onEvent: (event: ReflectorEvent<StoredRow>) => void;
  readonly onWaiting: (state: ReflectorState & { readonly name: 'waiting' }) => void;
}

/** Follows the objects of one kind, everywhere or in one namespace, and keeps the index of all rows up to date. */
export interface KindFollower extends ChosenKind {
  readonly rows: Reflector<StoredRow>;
  /** Resolves when the objects have been read once, or when it turned out why they cannot be. */
  readonly settled: Promise<void>;
  readonly trouble: KindTrouble | undefined;
  /** Resolves when it is quiet; its rows have left the index, which is told where changes are. */
  stop(): Promise<void>;
}

export function followKind(options: KindFollowerOptions): KindFollower {
  const { api, type, namespace, context, index, isTelling } = options;
  const { timers, clock, log, random, snapshot, rules, limits, batch, events, shareText } = context;
  const isNews = createIsNews(snapshot(), type);
  const settled = Promise.withResolvers<void>();
  // Made anew by the cluster whenever a pod comes or goes; no application is compared because of that.
  const isQuiet = type.group === '' && type.kind === 'Endpoints';

  function touch(row: StoredRow): void {
    if (!isTelling()) return;
    if (row.instance !== '') return batch.noteInstance(row.instance, 'compare');
    const instances = index.instancesAbove(row);
    for (const instance of instances) batch.noteInstance(instance, 'tree');
    if (instances.size === 0) batch.noteNamespace(row.namespace);
  }

  function matters(previous: StoredRow, row: StoredRow): boolean {
    if (isQuiet) return false;
    if (previous.body === undefined || row.body === undefined || previous.uid !== row.uid || previous.instance !== row.instance)
      return true;
    return previous.health?.status !== row.health?.status || isNews(previous.body, row.body);
  }

  function apply(event: ReflectorEvent<StoredRow>): void {
    if (event.type !== 'synced' && isTelling()) events.note(type);
    switch (event.type) {
      case 'added':
        index.add(event.row);
        touch(event.row);
        break;
      case 'changed': {
        const tell = matters(event.previous, event.row);
        if (tell) touch(event.previous);
        index.remove(event.previous);
        index.add(event.row);
        if (tell) touch(event.row);
        break;
      }
      case 'removed':
        touch(event.row);
        index.remove(event.row);
        break;
      case 'synced':
        settled.resolve();
    }
    options.onEvent(event);
  }

  const rows = createReflector<StoredRow>({
    api,
    type,
    ...(namespace !== undefined && { namespace }),
    keep: createRowMaker({ type, rules, log, shareText, findOwners: (uid) => index.ownersOfChildren(uid) }),
    onEvent: apply,
    onState: (state) => {
      if (state.name !== 'waiting') return;
      settled.resolve();
      options.onWaiting(state);
    },
    log,
    limits: limits.watch,
    clock,
    timers,
    random,
  });
  rows.start();
  return {
    type,
    namespace,
    rows,
    settled: settled.promise,
    get trouble() {
      const trouble = rows.trouble ?? (rows.synced ? undefined : UNREAD);
      return trouble && { type, ...(namespace !== undefined && { namespace }), synced: rows.synced, trouble };
    },
    async stop() {
      await rows.stop();
      settled.resolve();
      for (const [, row] of rows.rows()) {
        touch(row);
        index.remove(row);
      }
    },
  };
}
