import { expect, it } from 'vitest';
import { NO_REPOSITORY, withoutPortDetails } from './one-message.ts';

it.each([
  'Get "http://x/": the proxy 10.0.0.1:22 cannot be reached',
  'failed to list refs: the proxy 10.0.0.1:22 does not answer',
  'failed to list refs: the proxy 10.0.0.1:22 does not speak SOCKS 5',
  'failed to list refs: the proxy 10.0.0.1:22 could not connect (SOCKS reply 5)',
  'Get "https://x/": the proxy 10.0.0.1:22 answered something that is not HTTP to CONNECT',
])('SSRF-01: %j says no more than that nobody answered', (message) => expect(withoutPortDetails(message)).toBe(NO_REPOSITORY));

it('tells of a proxy that wants to be signed in to', () => {
  const message = 'failed to list refs: the proxy 10.0.0.1:1080 does not accept the user and password';
  expect(withoutPortDetails(message)).toBe(message);
});
