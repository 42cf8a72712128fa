import type { Sealer } from './sealer.ts';
import { placeOf } from './store.ts';
import type { Store } from './store.ts';

const SLICE = 200;

/** Seals everything that other keys have sealed, current states and history, with the newest key of the store's sealer. */
export async function resealAll(store: Store, sealer: Sealer): Promise<void> {
  store.sealer = sealer;
  for (let isMore = true; isMore;) isMore = await store.write(() => resealSlice(store, sealer));
}

function resealSlice(store: Store, sealer: Sealer): boolean {
  const rows = store.statements.readSealedWithOther.all(sealer.keyId, SLICE);
  if (rows.length === 0) return false;
  store.alter(() => {
    for (const row of rows) {
      const place = placeOf(
        { resource: Number(row['resource']), namespace: String(row['namespace']), name: String(row['name']) },
        Number(row['version']),
      );
      const text = sealer.open({ keyId: String(row['key_id']), bytes: row['body'] as Uint8Array }, place);
      const { keyId, bytes } = sealer.seal(text, place);
      store.statements.reseal.run(keyId, bytes, Number(row['version']));
    }
  });
  return true;
}
