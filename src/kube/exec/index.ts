/** Programs run in containers, over a WebSocket. */
export { execInPod } from './exec-in-pod.ts';
export type { ExecEvent, ExecOptions, ExecSession } from './exec-session.ts';
