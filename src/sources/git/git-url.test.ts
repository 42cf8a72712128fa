import { describe, expect, it } from 'vitest';
import { isSameServer, parseGitUrl } from './git-url.ts';

const parse = (url: string) => parseGitUrl(url, { allowFile: false });

describe('the URL of a git repository', () => {
  it('over HTTP gives up its user and password', () => {
    expect(parse('https://alice:s%40cret@Git.Example.com:8443/acme/shop.git?x=1')).toEqual({
      transport: 'https',
      url: 'https://Git.Example.com:8443/acme/shop.git?x=1',
      host: 'git.example.com',
      port: 8443,
      path: '/acme/shop.git',
      username: 'alice',
      password: 's@cret',
    });
  });

  it.each([
    ['git@git.example.com:acme/shop.git', { host: 'git.example.com', username: 'git', path: 'acme/shop.git' }],
    ['git.example.com:shop.git', { host: 'git.example.com', username: undefined }],
    ['ssh://git@git.example.com:2222/acme/shop', { host: 'git.example.com', port: 2222, path: '/acme/shop' }],
    ['ssh://git:pw@[::1]:22/x', { host: '[::1]', url: 'ssh://git@[::1]:22/x' }],
  ])('%s is for ssh', (url, parts) => expect(parse(url)).toMatchObject({ transport: 'ssh', ...parts }));

  it.each([
    '--upload-pack=touch /tmp/p',
    '-u./evil',
    'ext::sh -c touch% /tmp/p',
    'EXT::sh',
    'fd::17',
    'file:///srv/other.git',
    'FILE:///srv/other.git',
    '/srv/other.git',
    './other',
    '../other',
    'ssh://-oProxyCommand=touch/x',
    'ssh://git@-oProxyCommand=touch/x',
    'ssh://-l@host/x',
    '-oProxyCommand=x:y',
    'git@-oProxyCommand=x:y',
    'host:-path',
    'ssh://host/-path',
    'git://git.example.com/x',
    'ftp://git.example.com/x',
    'oci://registry.example.com/x',
    'https://git.example.com/x\nhost=evil',
    'https://git.example.com/x%0ahost=evil',
    'https://git.example.com%0d/x',
    'https:///x',
    'https://',
    'https://git.example.com\\@evil.example/x',
    'https://git.example.com:443\\@evil.example/x',
    'ssh://git.example.com:22\\@evil.example/x',
    'https://git.example.com@@evil.example/x',
    '',
    `https://git.example.com/${'x'.repeat(5000)}`,
  ])('GIT-01 GIT-06: %s is refused', (url) => expect(() => parse(url)).toThrow(/refused|not allowed/));

  it('SSRF-01: has the port that it is connected to, whatever stands behind it', () => {
    expect(parse('https://git.example.com:9999?x:443/')).toMatchObject({ host: 'git.example.com', port: 9999 });
    expect(parse('https://git.example.com?x:443/').port).toBeUndefined();
  });

  it('CRED-03: is never repeated by a refusal', () => {
    expect(() => parse('https://user:tok3n@ho st/x')).toThrow(/^(?!.*tok3n)/);
  });

  it('is a folder only where that is allowed', () => {
    expect(parseGitUrl('file:///srv/a%20b.git', { allowFile: true })).toMatchObject({ transport: 'file', path: '/srv/a b.git' });
    expect(() => parseGitUrl('file://host/x', { allowFile: true })).toThrow('refused');
    expect(() => parseGitUrl('file:///srv/a', { allowFile: false })).toThrow('without --allow-file-repositories');
  });

  it.each([
    ['https://example.com/a', 'https://EXAMPLE.com:443/b', true],
    ['https://user:pw@example.com/a', 'https://example.com/b', true],
    ['https://example.com/a', 'http://example.com/b', false],
    ['https://example.com/a', 'https://example.com:8443/b', false],
    ['https://example.com/a', 'https://example.com:8443?x:443/', false],
    ['https://example.com/a', 'https://example.com:8443#x:443/', false],
    ['https://example.com/a', 'https://example.com.evil/b', false],
    ['https://example.com/a', 'https://example.com@evil.example/b', false],
    ['git@example.com:a', 'ssh://git@example.com:22/b', true],
    ['git@example.com:a', 'other@example.com:b', false],
    ['git@example.com:a', 'git@evil.example:b', false],
  ])('GIT-07: that %s and %s are on one server is %s', (one, other, expected) =>
    expect(isSameServer(parse(one), parse(other))).toBe(expected),
  );

  it('of a folder is on no server', () => {
    const folder = parseGitUrl('file:///srv/a', { allowFile: true });
    expect(isSameServer(folder, folder)).toBe(false);
  });
});
