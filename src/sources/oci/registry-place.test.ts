import { describe, expect, it } from 'vitest';
import { findRegistryPlace, isRegistry } from './registry-place.ts';

const at = (url: string, chart?: string, insecureOCIForceHttp = false) =>
  findRegistryPlace({ url, type: 'oci', owner: '', insecureOCIForceHttp }, chart);

describe('the place of a repository in a registry', () => {
  it.each([
    ['oci://registry.example.com/charts/web', undefined, 'https://registry.example.com', 'charts/web'],
    ['registry.example.com:5000/charts', 'web', 'https://registry.example.com:5000', 'charts/web'],
    ['registry.example.com', 'web', 'https://registry.example.com', 'web'],
    ['oci://Registry.Example.com/a/', undefined, 'https://registry.example.com', 'a'],
    ['docker.io/library', 'x', 'https://registry-1.docker.io', 'library/x'],
    ['oci://[::1]:5000/a', undefined, 'https://[::1]:5000', 'a'],
    ['oci://registry.example.com', undefined, 'https://registry.example.com', ''],
  ])('%s, %s', (url, chart, origin, repository) => {
    expect(at(url, chart)).toEqual({ origin, repository });
    expect(at(url, chart, true).origin).toBe(origin.replace('https:', 'http:'));
  });

  it.each([
    'oci://user:password@registry.example.com/a',
    'oci:///a',
    'oci://registry.example.com/A',
    'oci://registry.example.com/../a',
    'oci://registry.example.com/a//b',
    'oci://registry.example.com/a?b',
    'oci://registry.example.com/a b',
    'oci://registry.example.com:99999/a',
    'oci://-x/a',
    `oci://registry.example.com/${'a'.repeat(300)}`,
  ])('%s is none', (url) => {
    expect(() => at(url)).toThrow('the address of the registry is refused: ');
  });

  it('is told from that of an index', () => {
    const of = (url: string, more = {}) => isRegistry({ url, type: 'helm', ...more });
    expect([of('registry.example.com/a'), of('registry.example.com:5000'), of('oci://x/a'), of('https://x', { enableOCI: true })]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([of('https://charts.example.com'), of('http://x')]).toEqual([false, false]);
  });
});
