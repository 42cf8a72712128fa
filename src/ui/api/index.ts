/** How the interface talks to the server: typed calls, streams, permissions, who is signed in, and whether the server can be reached. */
export { api, getJson, postJson, queryClient } from './api.ts';
export { CallError, callCodes, describeError, isRecord, isUnauthenticated } from './call-error.ts';
export { connection } from './connection.ts';
export { createStore, useStore } from './create-store.ts';
export { encodeBytes } from './encode-bytes.ts';
export { beginSession, safeReturnPath, session, sessionUsername } from './session.ts';
export { askPermission, useCan, useCanSomewhere } from './use-can.ts';
export { settingsQuery, userInfoQuery, useSettings, useUser } from './use-user.ts';
export { useWatch } from './use-watch.ts';
export type { StreamOptions } from './create-api.ts';
export type { Store } from './create-store.ts';
export type { Permission } from './use-can.ts';
