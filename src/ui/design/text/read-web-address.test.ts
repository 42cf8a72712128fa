import { describe, expect, it } from 'vitest';
import { readWebAddress } from './read-web-address.ts';

describe('an address of others', () => {
  it.each([
    ['https://git.example/shop', 'https://git.example/shop'],
    ['HTTP://git.example', 'http://git.example/'],
    ['javascript:alert(1)', undefined],
    [' java\nscript:alert(1)', undefined],
    ['data:text/html,<script>alert(1)</script>', undefined],
    ['vbscript:x', undefined],
    ['file:///etc/passwd', undefined],
    ['git@git.example:shop.git', undefined],
    ['/applications', undefined],
    [undefined, undefined],
  ])('%j can be followed as %j', (text, address) => {
    expect(readWebAddress(text)).toBe(address);
  });
});
