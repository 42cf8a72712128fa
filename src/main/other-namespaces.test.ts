import { expect, it, vi } from 'vitest';
import { createLogger } from '../base/index.ts';
import { followOtherNamespaces } from './other-namespaces.ts';

function follow(kind: 'embedded' | 'cluster', first: readonly string[]) {
  const state = { patterns: first };
  const write = vi.fn<(line: string) => void>();
  const log = createLogger({ level: 'warn', format: 'text', write });
  const namespaces = followOtherNamespaces({ home: { kind }, key: 'application.namespaces', read: () => state.patterns, log });
  return { state, write, namespaces };
}

it.each([
  ['embedded', []],
  ['cluster', ['team-*']],
] as const)('follows the setting on a home that reads all namespaces: %s', (kind, first) => {
  const { state, write, namespaces } = follow(kind, first);
  expect(namespaces()).toEqual(first);
  state.patterns = ['other'];
  expect(namespaces()).toEqual(['other']);
  expect(write).not.toHaveBeenCalled();
});

it('does not allow what is not read, and says so once', () => {
  const { state, write, namespaces } = follow('cluster', []);
  expect(namespaces()).toEqual([]);
  expect(write).not.toHaveBeenCalled();
  state.patterns = ['team-a'];
  expect([namespaces(), namespaces()]).toEqual([[], []]);
  expect(write).toHaveBeenCalledOnce();
  expect(write.mock.calls[0]?.[0]).toContain('application.namespaces');
});
