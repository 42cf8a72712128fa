import type { Logger } from '../../base/index.ts';
import { isStatusError } from '../../objects/index.ts';
import { deleteObject } from '../verbs/delete.ts';
import type { VerbContext } from '../verbs/verb-context.ts';
import { keyOfRow } from './garbage-collector.ts';
import { WorkLoop } from './work-loop.ts';

const EXPIRED_PER_TURN = 500;

/** Deletes what has expired and forgets the history that is over its limits, a bit at a time. */
export function createHousekeeping(context: VerbContext, log: Logger): WorkLoop<'expire' | 'compact'> & { look(): void } {
  const loop: WorkLoop<'expire' | 'compact'> = new WorkLoop('housekeeping', log, async (task) => {
    const isMore = task === 'expire' ? await expire(context) : await context.store.read(() => context.history.compactSlice());
    // Others get their turn between two bits.
    if (isMore) setImmediate(() => loop.add(task, task));
  });
  return Object.assign(loop, {
    look: () => {
      loop.add('expire', 'expire');
      loop.add('compact', 'compact');
    },
  });
}

async function expire(context: VerbContext): Promise<boolean> {
  const { store, kinds, clock } = context;
  const keys = await store.read(() => store.statements.readExpired.all(clock.nowMs(), EXPIRED_PER_TURN).map(keyOfRow));
  await Promise.all(
    keys.map(async (key) => {
      const kind = kinds.findByResource(key.resource);
      if (kind === undefined) return;
      try {
        await store.write(() => deleteObject(context, kind, key, { propagation: 'Background' }));
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error;
      }
    }),
  );
  return keys.length === EXPIRED_PER_TURN;
}
