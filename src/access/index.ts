/** Who is calling and what they may do: accounts, sessions, tokens and the built-in policy. */
export { adminAccount } from './account.ts';
export { anonymousCaller, isProjectSubject } from './caller.ts';
export { createLogin } from './login.ts';
export { hashPassword, passwordBytesMax } from './password.ts';
export { createPolicy } from './policy/create-policy.ts';
export { policyActions, policyResources } from './policy/policy-words.ts';
export { createSessions } from './sessions.ts';
export { expireTokenCookies, formatTokenCookies, readTokenCookie } from './token-cookie.ts';
export type { LocalAccount } from './account.ts';
export type { AdminStore } from './admin-store.ts';
export type { Caller } from './caller.ts';
export type { Login, LoginAttempt } from './login.ts';
export type { ExplainedPolicy, Policy, PolicyOptions, PolicySettings } from './policy/create-policy.ts';
export type { Sessions } from './sessions.ts';
