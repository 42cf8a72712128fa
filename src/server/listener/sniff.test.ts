import { describe, expect, it } from 'vitest';
import { recogniseProtocol } from './sniff.ts';

describe('recogniseProtocol', () => {
  it.each([
    ['', undefined],
    ['\u0016\u0003', 'tls'],
    ['P', undefined],
    ['PR', undefined],
    ['PRI * HTTP/2.', undefined],
    ['PRI * HTTP/2.0', 'http2'],
    ['PRI * HTTP/2.0\r\n\r\nSM', 'http2'],
    ['PRI * HTTP/1.1', 'http1'],
    ['PROPFIND', 'http1'],
    ['PO', 'http1'],
    ['GET /', 'http1'],
    ['\u0000', 'http1'],
  ])('%j is %s', (text, protocol) => {
    expect(recogniseProtocol(Buffer.from(text, 'latin1'))).toBe(protocol);
  });
});
