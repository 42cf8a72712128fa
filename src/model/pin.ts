import type { Application } from '../contract/index.ts';
import { parseTime } from '../objects/index.ts';
import { sourcesOf } from './sources-of.ts';

/** By which an application is held at what was deployed, whatever its source says. */
export const pinAnnotations = {
  /** With commas where it has several sources. */
  revision: 'fairway.dev/pinned-revision',
  reason: 'fairway.dev/pin-reason',
  until: 'fairway.dev/pin-until',
  by: 'fairway.dev/pinned-by',
} as const;

/** An application that is held. */
export interface Pin {
  /** One for each source. */
  readonly revisions: readonly string[];
  readonly reason: string;
  readonly by: string;
  /** Undefined where it holds until somebody lets go. */
  readonly untilMs: number | undefined;
}

/** How an application is held now; undefined where it is not, or no longer. What cannot be read as a time holds until somebody lets go. */
export function readPin(application: Application, nowMs: number): Pin | undefined {
  const { annotations = {} } = application.metadata;
  const text = annotations[pinAnnotations.revision] ?? '';
  if (text === '') return undefined;
  const revisions = text.split(',').map((part) => part.trim());
  const count = sourcesOf(application).length;
  if (revisions.length !== count || revisions.includes('')) return undefined;
  const untilMs = parseTime(annotations[pinAnnotations.until] ?? '');
  if (untilMs !== undefined && untilMs <= nowMs) return undefined;
  return { revisions, reason: annotations[pinAnnotations.reason] ?? '', by: annotations[pinAnnotations.by] ?? '', untilMs };
}

/** As a condition and a refusal say it. */
export function describePin({ revisions, reason, by, untilMs }: Pin): string {
  const who = by === '' ? '' : ` by ${by}`;
  const until = untilMs === undefined ? '' : ` until ${new Date(untilMs).toISOString().replace(/\.\d+Z$/, 'Z')}`;
  return `held at ${revisions.join(', ')}${who}${until}${reason === '' ? '' : `: ${reason}`}`;
}
