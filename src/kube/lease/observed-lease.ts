import type { KubeObject } from '../../objects/index.ts';
import { readLease, type LeaseRecord } from './lease-record.ts';

/**
 * What was seen of somebody's lease, and when it was last seen to change. Whether it has run out is judged by that alone, on our own
 * clock: the times written in it are the other's, and clocks differ.
 */
export interface ObservedLease {
  readonly lease: KubeObject;
  readonly record: LeaseRecord;
  /** On our clock, when this record was first seen. */
  readonly changedMs: number;
}

export function observeLease(previous: ObservedLease | undefined, lease: KubeObject, nowMs: number): ObservedLease {
  const record = readLease(lease);
  const isSame = previous !== undefined && sameRecord(previous, record, lease);
  return { lease, record, changedMs: isSame ? previous.changedMs : nowMs };
}

/** True where its holder must have given it up by itself. */
export function hasRunOut({ record, changedMs }: ObservedLease, nowMs: number): boolean {
  return record.holderIdentity === '' || nowMs >= changedMs + record.leaseDurationSeconds * 1000;
}

function sameRecord(previous: ObservedLease, record: LeaseRecord, lease: KubeObject): boolean {
  return (
    previous.lease.metadata.uid === lease.metadata.uid &&
    previous.record.holderIdentity === record.holderIdentity &&
    previous.record.renewTime === record.renewTime &&
    previous.record.acquireTime === record.acquireTime &&
    previous.record.leaseTransitions === record.leaseTransitions &&
    previous.record.leaseDurationSeconds === record.leaseDurationSeconds
  );
}
