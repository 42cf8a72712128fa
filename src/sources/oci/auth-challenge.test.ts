import { describe, expect, it } from 'vitest';
import { parseAuthChallenge } from './auth-challenge.ts';

const bearer = { scheme: 'bearer', realm: 'https://auth.example.com/token', service: 'registry', scope: 'repository:a/b:pull,push' };

describe('what a registry says about how it wants to be asked', () => {
  it.each([
    ['Basic realm="x"', { scheme: 'basic' }],
    ['basic', { scheme: 'basic' }],
    ['Bearer realm="https://auth.example.com/token",service="registry",scope="repository:a/b:pull,push"', bearer],
    ['bearer scope="repository:a/b:pull,push" , SERVICE=registry, realm="https://auth.example.com/token"', bearer],
    ['Basic realm="x", Bearer realm="https://auth.example.com/token",service="registry",scope="repository:a/b:pull,push"', bearer],
    ['Bearer realm="a\\"b"', { scheme: 'bearer', realm: 'a"b', service: '', scope: '' }],
  ])('%s', (header, challenge) => {
    expect(parseAuthChallenge(header)).toEqual(challenge);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer realm',
    'Bearer realm=',
    'Bearer realm="x',
    'Digest realm="x"',
    '=,=',
    ',,,',
    'Bearer service="s"',
    'x'.repeat(10_000),
    `Bearer ${'a='.repeat(4_000)}`,
  ])('CRED-07: %j cannot be used', (header) => {
    expect(() => parseAuthChallenge(header)).toThrow('the registry asks for credentials, and ');
  });
});
