/** Who of several processes does what: one leader, or work divided by key, both by Leases in the API that they share. */
export { createLeaderElection } from './leader-election.ts';
export { createMembership } from './membership.ts';
export type { LeaderElection, LeaderElectionOptions, LeaderState } from './leader-election.ts';
export type { LeaseTiming } from './lease-timing.ts';
export type { Membership, MembershipOptions, MembershipView } from './membership.ts';
