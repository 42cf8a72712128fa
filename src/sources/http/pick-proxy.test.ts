import { describe, expect, it } from 'vitest';
import { pickProxy } from './pick-proxy.ts';

const environment = { https_proxy: 'http://secure:1', http_proxy: 'plain:2', no_proxy: 'inner.example.com,10.0.0.0/8' };
const none = { proxy: '', noProxy: '', environment: {} };

describe('the way to an address', () => {
  it.each([
    ['https://a.example.com', none, undefined],
    ['https://a.example.com', { ...none, environment }, 'http://secure:1'],
    ['http://a.example.com', { ...none, environment }, 'http://plain:2'],
    ['http://x.inner.example.com', { ...none, environment }, undefined],
    ['http://10.2.3.4', { ...none, environment }, undefined],
    ['http://11.2.3.4', { ...none, environment }, 'http://plain:2'],
    ['http://a.example.com', { ...none, environment: { ALL_PROXY: 'socks5://all:3' } }, 'socks5://all:3'],
    // A repository's own replaces all of that, its exceptions too.
    ['http://10.2.3.4', { proxy: 'http://own:4', noProxy: '', environment }, 'http://own:4'],
    ['http://a.example.com', { proxy: 'http://own:4', noProxy: 'example.com', environment }, undefined],
  ])('%s with %j is %j', (url, rules, proxy) => {
    expect(pickProxy(new URL(url), rules)).toBe(proxy);
  });

  it.each([
    ['example.com', 'http://example.com', true],
    ['example.com', 'http://a.example.com', true],
    ['example.com', 'http://badexample.com', false],
    ['.example.com', 'http://example.com', false],
    ['.example.com', 'http://a.example.com', true],
    ['*.example.com', 'http://a.example.com', true],
    ['*', 'http://anything', true],
    ['example.com:8080', 'http://example.com:8080', true],
    ['example.com:8080', 'http://example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['127.0.0.1', 'http://127.0.0.1:9', true],
    ['[::1]', 'http://[::1]:9', true],
    ['fd00::/8', 'http://[fd12::1]', true],
    ['10.0.0.0/33,junk/8', 'http://10.0.0.1', false],
    [' , EXAMPLE.com ', 'http://Example.COM', true],
  ])('%j excepts %s: %s', (noProxy, url, isExcepted) => {
    expect(pickProxy(new URL(url), { proxy: 'http://own:4', noProxy, environment: {} }) === undefined).toBe(isExcepted);
  });
});
