/** Work on keys: each at most once at a time, groups in turn, later where asked, and again with patience where it fails. */
export { createWorkQueue } from './work-queue.ts';
export type { WorkObserver, WorkQueue, WorkQueueCounts, WorkQueueOptions, WorkResult } from './work-queue.ts';
