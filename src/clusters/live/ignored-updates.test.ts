import { expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import type { IgnoreRules, Snapshot } from '../../settings/index.ts';
import { createIsNews } from './ignored-updates.ts';

const type = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };
const core = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

interface Given {
  readonly enabled?: boolean;
  readonly onUpdates?: boolean;
  readonly overrides?: Readonly<
    Record<string, { readonly updates?: readonly string[]; readonly jq?: readonly string[]; readonly differences?: readonly string[] }>
  >;
}

/** Only the settings that the rule reads. */
function snapshot({ enabled = true, onUpdates = true, overrides = {} }: Given): Snapshot {
  const rules = (jsonPointers: readonly string[] = [], jqPathExpressions: readonly string[] = []): IgnoreRules => ({
    jsonPointers,
    jqPathExpressions,
    managedFieldsManagers: [],
  });
  return {
    general: { ignoreResourceUpdatesEnabled: enabled, compareOptions: { ignoreDifferencesOnResourceUpdates: onUpdates } },
    resourceOverrides: new Map(
      Object.entries(overrides).map(([name, { updates, jq, differences }]) => [
        name,
        { ignoreResourceUpdates: rules(updates, jq), ignoreDifferences: rules(differences) },
      ]),
    ),
  } as unknown as Snapshot;
}

function object(more: object = {}, metadata: object = {}): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...metadata }, ...more };
}

const status = [object({ status: { replicas: 1 } }), object({ status: { replicas: 2 } })] as const;
const third = [object({ spec: { list: [1, 2, 3] } }), object({ spec: { list: [1, 2, 4] } })] as const;

it.each<readonly [string, Given, typeof type, readonly [KubeObject, KubeObject], boolean]>([
  ['nothing changed', {}, type, [object(), object()], false],
  [
    'only bookkeeping changed',
    {},
    type,
    [object({}, { resourceVersion: '1', generation: 1 }), object({}, { resourceVersion: '2' })],
    false,
  ],
  ['bookkeeping changed and all is news', { enabled: false }, type, [object(), object()], true],
  ['the status changed', {}, type, status, true],
  ['the status is ignored for the kind', { overrides: { 'apps/Deployment': { updates: ['/status'] } } }, type, status, false],
  ['the status is ignored for all', { overrides: { '*/*': { updates: ['/status'] } } }, type, status, false],
  ['the status is ignored for all, also without a group', { overrides: { '*/*': { updates: ['/status'] } } }, core, status, false],
  ['the status is ignored for another kind', { overrides: { 'apps/ReplicaSet': { updates: ['/status'] } } }, type, status, true],
  ['it is no difference either', { overrides: { 'apps/Deployment': { differences: ['/status'] } } }, type, status, false],
  [
    'it is no difference, and that does not matter here',
    { onUpdates: false, overrides: { 'apps/Deployment': { differences: ['/status'] } } },
    type,
    status,
    true,
  ],
  ['an item is ignored', { overrides: { 'apps/Deployment': { updates: ['/spec/list/2'] } } }, type, third, false],
  ['another item is ignored', { overrides: { 'apps/Deployment': { updates: ['/spec/list/0', '/spec/none/x'] } } }, type, third, true],
  [
    'a name with a slash is ignored',
    { overrides: { 'apps/Deployment': { updates: ['/metadata/annotations/a~1b'] } } },
    type,
    [object({}, { annotations: { 'a/b': '1' } }), object({}, { annotations: { 'a/b': '2' } })],
    false,
  ],
  ['jq points at it', { overrides: { 'apps/Deployment': { jq: ['.status?.replicas'] } } }, type, status, false],
  ['jq points at it among others', { overrides: { 'apps/Deployment': { jq: ['.spec.list[] | select(. > 2)'] } } }, type, third, false],
  ['jq points at something else', { overrides: { 'apps/Deployment': { jq: ['.spec.other'] } } }, type, third, true],
  [
    'JQ-01: jq makes no sense or has no end',
    { overrides: { 'apps/Deployment': { jq: ['.spec[', 'def f: f; f', '.a.b[]'] } } },
    type,
    third,
    true,
  ],
  [
    'JQ-02: pointers lead nowhere',
    {
      overrides: {
        'apps/Deployment': { updates: ['/spec/list/-', '/spec/list/4000000000', '/~', '/~2', '/a'.repeat(10_000), 'spec', ''] },
      },
    },
    type,
    third,
    true,
  ],
  [
    'a prototype is named, and nothing happens to it',
    { overrides: { 'apps/Deployment': { updates: ['/__proto__/polluted', '/constructor'] } } },
    type,
    [object(), object({ spec: {} })],
    true,
  ],
])('%s', (_title, given, kind, [previous, current], expected) => {
  expect(createIsNews(snapshot(given), kind)(previous, current)).toBe(expected);
});
