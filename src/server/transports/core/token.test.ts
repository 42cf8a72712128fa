import { describe, expect, it } from 'vitest';
import { findRestToken, findToken } from './token.ts';

const requestWith = (headers: Readonly<Record<string, string>>) => ({ header: (name: string): string | undefined => headers[name] });

describe('findToken', () => {
  it.each([
    ['metadata', { token: 'a.b.c' }, 'a.b.c'],
    ['metadata before a bearer token', { token: 'a.b.c', authorization: 'Bearer d.e.f' }, 'a.b.c'],
    ['nothing when metadata is empty, whatever else is there', { token: '', authorization: 'Bearer d.e.f' }, undefined],
    ['a bearer token', { authorization: 'bearer  d.e.f' }, 'd.e.f'],
    ['no bearer token that is not in three parts', { authorization: 'Bearer opaque' }, undefined],
    ['no bearer token in four parts', { authorization: 'Bearer d.e.f.g' }, undefined],
    ['no bearer token with an empty part', { authorization: 'Bearer d..f' }, undefined],
    ['no bearer token with a space in it', { authorization: 'Bearer d.e.f g' }, undefined],
    ['no other scheme', { authorization: 'Basic d.e.f' }, undefined],
    ['no cookie', { cookie: 'argocd.token=a.b.c' }, undefined],
    ['no metadata of REST', { 'grpc-metadata-token': 'a.b.c' }, undefined],
    ['nothing', {}, undefined],
  ])('takes %s', (_name, headers, token) => {
    expect(findToken(requestWith(headers))).toBe(token);
  });
});

describe('findRestToken', () => {
  it.each([
    ['metadata', { 'grpc-metadata-token': 'a.b.c', cookie: 'argocd.token=x.y.z' }, 'a.b.c'],
    ['nothing when metadata is empty', { 'grpc-metadata-token': '', cookie: 'argocd.token=x.y.z' }, undefined],
    ['no bare metadata', { token: 'a.b.c' }, undefined],
    ['a bearer token before a cookie', { authorization: 'Bearer d.e.f', cookie: 'argocd.token=x.y.z' }, 'd.e.f'],
    ['a cookie when the authorization is for somebody else', { authorization: 'Basic abc', cookie: 'argocd.token=x.y.z' }, 'x.y.z'],
    ['the first of two cookies', { cookie: 'argocd.token=x.y.z; argocd.token=evil' }, 'x.y.z'],
    ['no cookie whose name only begins alike', { cookie: 'argocd.tokens=x.y.z' }, undefined],
    ['an empty cookie as none', { cookie: 'argocd.token=' }, undefined],
    ['a split cookie in any order', { cookie: 'argocd.token-2=c; argocd.token=3:a; argocd.token-1=b' }, 'abc'],
    ['no split cookie of too many parts', { cookie: 'argocd.token=99:a' }, undefined],
  ])('takes %s', (_name, headers, token) => {
    expect(findRestToken(requestWith(headers))).toBe(token);
  });
});
