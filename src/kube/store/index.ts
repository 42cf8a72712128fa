/** The objects of a kind, whole and in memory: one watch for everyone who reads them or waits for their changes. */
export { createObjectStore } from './object-store.ts';
export type { ObjectChange, ObjectStore, ObjectStoreOptions } from './object-store.ts';
