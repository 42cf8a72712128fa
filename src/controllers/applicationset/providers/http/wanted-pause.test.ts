import { describe, expect, it } from 'vitest';
import { readWantedPause } from './wanted-pause.ts';

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const inAMinute = String(nowMs / 1_000 + 60);

describe('How long a provider wants to be left alone', () => {
  it.each([
    ['a number of seconds', 429, { 'retry-after': '7' }, 7_000],
    ['a point in time', 503, { 'retry-after': new Date(nowMs + 90_000).toUTCString() }, 90_000],
    ['a point in time that is over', 429, { 'retry-after': new Date(nowMs - 90_000).toUTCString() }, 0],
    ['the end of the hour, at GitHub', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inAMinute }, 60_000],
    ['the end of the minute, at GitLab', 429, { 'ratelimit-remaining': '0', 'ratelimit-reset': inAMinute }, 60_000],
    ['a while after too many at once, at GitHub', 403, { 'retry-after': '60', 'x-ratelimit-remaining': '4000' }, 60_000],
    ['no longer than an hour', 429, { 'retry-after': '999999' }, 3_600_000],
    ['it does not say', 429, {}, undefined],
    ['what cannot be read', 429, { 'retry-after': 'soon' }, undefined],
    ['nothing: it forbids', 403, { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': inAMinute }, undefined],
    ['nothing: it answers', 200, { 'retry-after': '7', 'x-ratelimit-remaining': '0' }, undefined],
    ['nothing: it is not found', 404, { 'retry-after': '7' }, undefined],
  ])('%s', (_what, status, headers, pauseMs) => expect(readWantedPause({ status, headers, nowMs })).toBe(pauseMs));
});
