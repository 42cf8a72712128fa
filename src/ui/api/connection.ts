import { createStore } from './create-store.ts';

/** `down` when a watch has lost the server or a call did not reach it. */
export type ConnectionState = 'up' | 'down';

/** Whether the server can be reached; the banner shows it. */
export const connection = createStore<ConnectionState>('up');

const lostWatches = new Set<object>();
let isCallLost = false;

/** A watch says how it is. */
export function reportWatch(watch: object, isLost: boolean): void {
  if (isLost) lostWatches.add(watch);
  else {
    lostWatches.delete(watch);
    isCallLost = false;
  }
  update();
}

/** A call says whether the server was there. */
export function reportCall(isLost: boolean): void {
  isCallLost = isLost;
  update();
}

function update(): void {
  connection.set(lostWatches.size > 0 || isCallLost ? 'down' : 'up');
}
