import type { Caller } from '../../../access/index.ts';
import type { Logger } from '../../../base/index.ts';
import type { GuardedHooks } from '../../guard-hooks.ts';
import type { Limits } from '../../limits.ts';
import type { AnonymousRate } from './anonymous-rate.ts';
import type { BodyBudget } from './body-budget.ts';
import type { BodyRulesByCaller } from './read-body.ts';
import type { LiveCalls } from './live-calls.ts';
import type { MethodTable } from './method-table.ts';
import type { Sweeper } from './sweeper.ts';

/** Proves who a token belongs to, at once where it can. Rejects with an ApiError for a bad one; undefined when there is no one. */
export type Authenticate = (token: string | undefined) => Promise<Caller | undefined> | Caller | undefined;

/** What all transports share. */
export interface Core {
  readonly methods: MethodTable;
  readonly authenticate: Authenticate;
  readonly limits: Limits;
  readonly log: Logger;
  readonly hooks: GuardedHooks;
  readonly anonymousRate: AnonymousRate;
  readonly budget: BodyBudget;
  /** What applies to bodies of messages: gRPC and gRPC-Web. */
  readonly messageRules: BodyRulesByCaller;
  /** What applies to bodies of REST. */
  readonly restRules: BodyRulesByCaller;
  readonly calls: LiveCalls;
  readonly sweeper: Sweeper;
}
