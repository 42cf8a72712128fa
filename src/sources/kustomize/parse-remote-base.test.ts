import { expect, it } from 'vitest';
import { isRemoteFile, parseRemoteBase } from './parse-remote-base.ts';

it.each([
  ['https://github.com/acme/shop//deploy/base?ref=v1', 'https://github.com/acme/shop', 'deploy/base', 'v1'],
  ['https://github.com/acme/shop/deploy/base?ref=v1', 'https://github.com/acme/shop', 'deploy/base', 'v1'],
  ['https://github.com/acme/shop', 'https://github.com/acme/shop', '', ''],
  ['github.com/acme/shop/deploy?ref=main', 'https://github.com/acme/shop', 'deploy', 'main'],
  ['gh:acme/shop', 'https://github.com/acme/shop', '', ''],
  [
    'git::https://git.example.com:8443/team/shop.git//deploy?ref=main&timeout=90s',
    'https://git.example.com:8443/team/shop.git',
    'deploy',
    'main',
  ],
  ['https://git.example.com/a/b/c/shop.git/deploy?version=v2', 'https://git.example.com/a/b/c/shop.git', 'deploy', 'v2'],
  ['git@git.example.com:acme/shop.git//deploy?ref=x', 'git@git.example.com:acme/shop.git', 'deploy', 'x'],
  ['git@git.example.com:acme/shop/deploy', 'git@git.example.com:acme/shop', 'deploy', ''],
  ['ssh://git@git.example.com/acme/shop.git/deploy', 'ssh://git@git.example.com/acme/shop.git', 'deploy', ''],
  ['https://dev.example.com/org/project/_git/repo/deploy', 'https://dev.example.com/org/project/_git/repo', 'deploy', ''],
  ['file:///srv/shop//deploy', 'file:///srv/shop', 'deploy', ''],
])('%s', (entry, url, path, ref) => expect(parseRemoteBase(entry)).toEqual({ url, path, ref }));

it.each(['ext::sh -c true', 'fd::17', '-x', 'deploy/base', '../x', 's3::https://x'])('%j is none', (entry) => {
  const base = parseRemoteBase(entry);
  expect(base === undefined || !/^(?:https?|ssh|file):\/\//.test(base.url)).toBe(true);
});

it('tells files from repositories', () => {
  expect(isRemoteFile('https://example.com/releases/v1/install.yaml')).toBe(true);
  expect(isRemoteFile('https://example.com/acme/shop//a.yaml?ref=v1')).toBe(false);
  expect(isRemoteFile('file:///etc/passwd.yaml')).toBe(false);
});
