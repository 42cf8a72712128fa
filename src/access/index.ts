/** Who is calling: accounts, sessions and tokens. */
export type { Caller } from './caller.ts';
