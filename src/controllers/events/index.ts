/** What controllers tell of the objects that they look after, as Kubernetes Events in the words that people know. */
export { describeAutomatedSync, describeDeletionFailure, describeOperationEnd, recordApplicationEvents } from './application-events.ts';
export { createStatusChanges, type StatusChanges } from './status-changes.ts';
