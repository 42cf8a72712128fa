import { describe, expect, it } from 'vitest';
import type { Application } from '../contract/index.ts';
import { describePin, readPin } from './pin.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');
const application = (annotations: Record<string, string>, sources = 1): Application => ({
  metadata: { name: 'web', annotations },
  spec: {
    project: 'default',
    destination: {},
    ...(sources === 1 ? { source: { repoURL: 'a' } } : { sources: Array.from({ length: sources }, () => ({ repoURL: 'a' })) }),
  },
});
const pinned = { 'fairway.dev/pinned-revision': 'abc' };

describe('An application', () => {
  it('is held at a revision, and says by whom, until when and why', () => {
    const pin = readPin(
      application({
        ...pinned,
        'fairway.dev/pin-reason': 'bad release',
        'fairway.dev/pin-until': '2026-01-02T00:00:00Z',
        'fairway.dev/pinned-by': 'ada',
      }),
      nowMs,
    );
    expect(pin).toMatchObject({ revisions: ['abc'], untilMs: Date.parse('2026-01-02T00:00:00Z') });
    expect(pin && describePin(pin)).toBe('held at abc by ada until 2026-01-02T00:00:00Z: bad release');
  });

  it.each([
    ['is not held where nobody says so', {}, 1],
    ['is held no longer than it is told', { ...pinned, 'fairway.dev/pin-until': '2026-01-01T00:00:00Z' }, 1],
    ['is not held at less revisions than it has sources', pinned, 2],
  ])('%s', (_title, annotations, sources) => {
    expect(readPin(application(annotations, sources), nowMs)).toBeUndefined();
  });

  it('with several sources is held at one revision of each', () => {
    expect(readPin(application({ 'fairway.dev/pinned-revision': 'abc, 1.2.3' }, 2), nowMs)?.revisions).toEqual(['abc', '1.2.3']);
  });
});
