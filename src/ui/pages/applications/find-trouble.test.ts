import { describe, expect, it } from 'vitest';
import type { ApplicationStatus } from '../../../contract/gen/types.ts';
import { findTrouble } from './find-trouble.ts';

const OPERATION = { operation: {}, startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:01:00Z' };

/** From the least urgent to the most: each line adds to the one before it. */
const WORSE: readonly (readonly [string | undefined, ApplicationStatus])[] = [
  [undefined, { sync: { status: 'Synced' }, health: { status: 'Healthy' } }],
  [undefined, { health: { status: 'Progressing' } }],
  ['Unknown', { health: { status: 'Unknown' } }],
  ['Out of sync', { sync: { status: 'OutOfSync' } }],
  ['Missing', { health: { status: 'Missing' } }],
  ['Comparison error', { conditions: [{ type: 'ComparisonError', message: 'no such path' }] }],
  ['Sync failed', { operationState: { ...OPERATION, phase: 'Failed', message: 'one object was refused' } }],
  ['Degraded', { health: { status: 'Degraded', message: 'the image cannot be pulled' } }],
];

describe('what is wrong with an application', () => {
  it('is the most urgent of all that is', () => {
    let status: ApplicationStatus = {};
    const titles = WORSE.map(
      ([, more]) => findTrouble({ metadata: {}, spec: { project: '', destination: {} }, status: (status = { ...status, ...more }) })?.title,
    );
    expect(titles).toEqual(WORSE.map(([title]) => title));
  });

  it('says why in the words of who found it', () => {
    const [, failed] = WORSE.at(-2) ?? [];
    expect(findTrouble({ metadata: {}, spec: { project: '', destination: {} }, status: failed ?? {} })).toMatchObject({
      why: 'one object was refused',
      since: '2026-01-01T00:01:00Z',
    });
  });
});
