/** Who is calling and what they may do: accounts, sessions, tokens and the built-in policy. */
export { adminAccount } from './account.ts';
export { openAdminFile } from './admin-file.ts';
export { createLogin } from './login.ts';
export { passwordBytesMax } from './password.ts';
export { isAllowed, policyActions, policyResources } from './policy.ts';
export { createSessions } from './sessions.ts';
export { expireTokenCookies, formatTokenCookies, readTokenCookie } from './token-cookie.ts';
export type { LocalAccount } from './account.ts';
export type { AdminFile } from './admin-file.ts';
export type { Caller } from './caller.ts';
export type { Login, LoginAttempt } from './login.ts';
export type { Sessions } from './sessions.ts';
