/** Watches over the network: bytes into lines into events. */
export { openWatch } from './open-watch.ts';
export { chunksOf } from './read-events.ts';
