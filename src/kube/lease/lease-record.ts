import { formatMicroTime, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { ResourceType } from '../kube-api.ts';

export const leaseType: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};

/** What a Lease says, in the fields that every client of Leases keeps. */
export interface LeaseRecord {
  /** Empty where nobody holds it. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly leaseTransitions: number;
}

export function readLease(lease: KubeObject): LeaseRecord {
  const spec = specOf(lease);
  return {
    holderIdentity: textOf(spec['holderIdentity']),
    leaseDurationSeconds: numberOf(spec['leaseDurationSeconds']),
    acquireTime: textOf(spec['acquireTime']),
    renewTime: textOf(spec['renewTime']),
    leaseTransitions: numberOf(spec['leaseTransitions']),
  };
}

/** The Lease with another record in it; what else it holds stays. */
export function writeLease(lease: KubeObject, record: LeaseRecord): KubeObject {
  return { ...lease, spec: { ...specOf(lease), ...record } };
}

export function newLease(metadata: KubeObject['metadata'] & { readonly namespace: string }, record: LeaseRecord): KubeObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: { ...record } };
}

/** The record after `holder` takes or renews the lease. A change of hands is counted. */
export function holdLease(previous: LeaseRecord | undefined, holder: { identity: string; durationMs: number; nowMs: number }): LeaseRecord {
  const now = formatMicroTime(holder.nowMs);
  const isRenewal = previous?.holderIdentity === holder.identity;
  return {
    holderIdentity: holder.identity,
    // The API keeps whole seconds, and others wait for as long as it says.
    leaseDurationSeconds: Math.max(1, Math.ceil(holder.durationMs / 1000)),
    acquireTime: isRenewal && previous.acquireTime !== '' ? previous.acquireTime : now,
    renewTime: now,
    leaseTransitions: (previous?.leaseTransitions ?? 0) + (previous === undefined || isRenewal ? 0 : 1),
  };
}

/** The record that lets the next one in at once. */
export function releaseLease(previous: LeaseRecord, nowMs: number): LeaseRecord {
  const now = formatMicroTime(nowMs);
  return { ...previous, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
}

function specOf(lease: KubeObject): JsonObject {
  const spec = lease['spec'] as JsonValue | undefined;
  return spec !== undefined && isJsonObject(spec) ? spec : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
