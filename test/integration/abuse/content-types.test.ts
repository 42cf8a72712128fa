import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTarget, type Target } from './target.ts';
import { say } from './wire.ts';

const LOGIN = 'POST /api/v1/session HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n';

describe('content types', () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget();
  });
  afterAll(() => target.stop());

  it.each([
    ['none', undefined],
    ['a form', 'application/x-www-form-urlencoded'],
    ['a multipart form', 'multipart/form-data; boundary=x'],
    ['plain text', 'text/plain'],
    ['another charset', 'application/json; charset=latin1'],
    ['two types', 'application/json, text/plain'],
    ['JSON as a parameter', 'text/plain; application/json'],
    ['a longer name', 'application/jsonp'],
    ['gRPC with JSON', 'application/grpc+json'],
    ['an empty one', ''],
  ])('other than JSON are refused with 415: %s', async (_name, contentType) => {
    const header = contentType === undefined ? '' : `content-type: ${contentType}\r\n`;
    const { text } = await target.attack(() => say(target, `${LOGIN}${header}\r\n{}`));
    expect(text).toMatch(/^HTTP\/1\.1 415 /);
    expect(text).toContain('"code":3');
  });

  it('of any length are judged at once', async () => {
    const { text, durationMs } = await target.attack(() =>
      say(target, `${LOGIN}content-type: application/json${' '.repeat(60_000)}x\r\n\r\n{}`),
    );
    expect(text).toMatch(/^HTTP\/1\.1 415 /);
    expect(durationMs).toBeLessThan(500);
  });
});
