import { expect, it } from 'vitest';
import type { Event } from '../../../contract/gen/types.ts';
import { sortEvents } from './event-order.ts';

const event = (name: string, resourceVersion: string, times: Partial<Event>): Event => ({
  metadata: { name, resourceVersion },
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  ...times,
});

it('events come the newest first, those of one second by their versions', () => {
  const events = [
    event('started', '9', { lastTimestamp: '2026-01-01T10:00:00Z' }),
    event('done', '10', { lastTimestamp: '2026-01-01T10:00:00Z' }),
    event('repeated', '2', {
      eventTime: '2026-01-01T09:00:00.000001Z',
      series: { count: 3, lastObservedTime: '2026-01-01T11:00:00.000001Z' },
    }),
    event('nobody knows', '3', {}),
  ];
  expect(sortEvents(events).map(({ metadata }) => metadata.name)).toEqual(['repeated', 'done', 'started', 'nobody knows']);
});
