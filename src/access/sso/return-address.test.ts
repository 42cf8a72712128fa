import { describe, expect, it } from 'vitest';
import { chooseBase, findReturnAddress } from './return-address.ts';

describe('findReturnAddress', () => {
  const find = (wanted: string) => findReturnAddress(wanted, ['https://host/argocd', 'https://more'], 'https://host/argocd');

  it.each([
    'https://host/argocd/../other',
    'https://host/argocd/%2e%2e/other',
    'https://host/argocd/.%2E/other',
    'https://host/argocd/..%2fother',
    'https://host/argocd/%2e%2e%5cother',
    'https://host/argocdx',
    'https://host/',
    'https://host:8443/argocd',
    'http://host/argocd',
    'https://host.evil/argocd',
    'https://host@evil/argocd',
    'https://somebody@host/argocd',
    '/other',
    '/argocd/../other',
    'https://host/argocd/%ff',
    'https:host/argocd',
  ])('SSO-02: leads to nothing beside what is configured: %s', (wanted) => {
    expect(find(wanted)).toBeUndefined();
  });

  it.each([
    ['', 'https://host/argocd', 'https://host/argocd'],
    ['https://host/argocd', 'https://host/argocd', 'https://host/argocd'],
    ['https://host/argocd/applications?a=b#c', 'https://host/argocd/applications?a=b#c', 'https://host/argocd'],
    ['/argocd/applications', 'https://host/argocd/applications', 'https://host/argocd'],
    ['HTTPS://MORE/x', 'https://more/x', 'https://more'],
  ])('leads to what is: %s', (wanted, address, base) => {
    expect(find(wanted)).toEqual({ address, base });
  });
});

describe('chooseBase', () => {
  it('goes by the host that was asked for, but only to what is configured', () => {
    const urls = ['https://one', 'https://two:8443/path'];
    expect(chooseBase(urls, 'TWO:8443')).toBe('https://two:8443/path');
    expect(chooseBase(urls, 'evil')).toBe('https://one');
    expect(chooseBase(urls, undefined)).toBe('https://one');
    expect(chooseBase([], 'evil')).toBeUndefined();
  });
});
