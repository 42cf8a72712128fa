/** Simulated workloads on any Kubernetes API: controllers, one node and logs, so that what is deployed comes to life without containers. */
export { startWorkloads } from './start-workloads.ts';
export type { WorkloadOptions, Workloads } from './start-workloads.ts';
export { NODE_NAME } from './node.ts';
export { BEHAVIOR_ANNOTATION, DELAY_ANNOTATION } from './simulation.ts';
