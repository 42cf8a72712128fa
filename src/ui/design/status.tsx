import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'calm' | 'mute';

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
}

const UNKNOWN: Look = { tone: 'mute', icon: 'help' };

/** Each has a shape of its own: colour alone tells nothing to some. */
const SYNC = new Map<string, Look>([
  ['Synced', { tone: 'good', icon: 'check' }],
  ['OutOfSync', { tone: 'warn', icon: 'arrowUp' }],
]);
const HEALTH = new Map<string, Look>([
  ['Healthy', { tone: 'good', icon: 'pulse' }],
  ['Progressing', { tone: 'busy', icon: 'progress' }],
  ['Degraded', { tone: 'bad', icon: 'alert' }],
  ['Suspended', { tone: 'calm', icon: 'pause' }],
  ['Missing', { tone: 'warn', icon: 'minus' }],
]);
const PHASE = new Map<string, Look>([
  ['Running', { tone: 'busy', icon: 'progress' }],
  ['Terminating', { tone: 'warn', icon: 'progress' }],
  ['Succeeded', { tone: 'good', icon: 'check' }],
  ['Failed', { tone: 'bad', icon: 'close' }],
  ['Error', { tone: 'bad', icon: 'alert' }],
]);

const CONNECTION = new Map<string, Look>([
  ['Successful', { tone: 'good', icon: 'check' }],
  ['Failed', { tone: 'bad', icon: 'alert' }],
]);

export type StatusKind = 'sync' | 'health' | 'phase' | 'connection';
const LOOKS: Readonly<Record<StatusKind, ReadonlyMap<string, Look>>> = { sync: SYNC, health: HEALTH, phase: PHASE, connection: CONNECTION };

/** How a sync status, a health status, the phase of an operation or the state of a connection looks. */
export function statusLook(kind: StatusKind, value: string | undefined): Look {
  return LOOKS[kind].get(value ?? '') ?? UNKNOWN;
}

export interface StatusProps {
  readonly kind: StatusKind;
  readonly value: string | undefined;
  /** Instead of the word itself; the word is always there for those who listen. */
  readonly isIconOnly?: boolean;
}

/** A status with its icon: `<Status kind="health" value="Degraded" />`. */
export function Status({ kind, value = 'Unknown', isIconOnly = false }: StatusProps): ReactElement {
  const { tone, icon } = statusLook(kind, value);
  return (
    <span className="status" data-tone={tone}>
      <Icon name={icon} size={15} isSpinning={icon === 'progress'} />
      <span className={isIconOnly ? 'visually-hidden' : 'one-line'}>{value || 'Unknown'}</span>
    </span>
  );
}

export interface BadgeProps {
  readonly tone?: Tone;
  readonly children: ReactNode;
}

export function Badge({ tone = 'mute', children }: BadgeProps): ReactElement {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
