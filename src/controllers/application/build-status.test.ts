import { describe, expect, it } from 'vitest';
import type { LiveRow } from '../../clusters/index.ts';
import type { Application, ApplicationStatus } from '../../model/index.ts';
import { buildStatus } from './build-status.ts';
import type { Comparison } from './compare.ts';

const NOW = '2026-02-03T04:05:06Z';
const source = { repoURL: 'https://git.example.com/shop', path: 'web', targetRevision: 'HEAD' };

function applicationWith(status: ApplicationStatus): Application {
  return {
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: { project: 'default', source, destination: { name: 'in-cluster' } },
    status,
  };
}

function build(status: ApplicationStatus, comparison: Comparison, keepsWords = false): ApplicationStatus {
  const input = { namespace: 'argocd', now: NOW, isReconciled: false, isHealthPersisted: true };
  return buildStatus({ ...input, application: applicationWith(status), comparison, keepsWords });
}

const invalid = (message: string): Comparison => ({ kind: 'invalid', problems: [{ type: 'InvalidSpecError', message }] });

describe('The status of an application that cannot work', () => {
  const before: ApplicationStatus = {
    sync: { status: 'Unknown' },
    health: { status: 'Unknown', lastTransitionTime: '2026-01-01T00:00:00Z' },
    conditions: [{ type: 'InvalidSpecError', message: 'in their words', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  };

  it('stays as it is where another controller said so already, words and all', () => {
    expect(build(before, invalid('in our words'), true)).toEqual(before);
  });

  it('is told in our words when we look again', () => {
    const { conditions, ...rest } = build(before, invalid('in our words'));
    expect(conditions).toEqual([{ type: 'InvalidSpecError', message: 'in our words', lastTransitionTime: NOW }]);
    expect(rest).toEqual({ sync: before.sync, health: before.health });
  });

  it('keeps what was found before, and says that nothing of it is known now', () => {
    const resources = [{ kind: 'ConfigMap', name: 'one', status: 'Synced' }];
    const known: ApplicationStatus = { sync: { status: 'Synced', revision: 'a' }, resources, reconciledAt: '2026-01-01T00:00:00Z' };
    expect(build(known, invalid('no such cluster'), true)).toMatchObject({
      sync: { status: 'Unknown', revision: 'a' },
      health: { status: 'Unknown' },
      resources,
      reconciledAt: '2026-01-01T00:00:00Z',
      conditions: [{ message: 'no such cluster' }],
    });
  });
});

describe('The status of an application whose source cannot be rendered', () => {
  const entry = (name: string, health: string) => ({
    kind: 'Pod',
    namespace: 'default',
    name,
    status: 'Synced',
    health: { status: health },
  });
  const before: ApplicationStatus = {
    sync: { status: 'Synced', revision: 'a' },
    health: { status: 'Healthy', lastTransitionTime: '2026-01-01T00:00:00Z' },
    resources: [entry('gone', 'Healthy'), entry('web', 'Healthy')],
  };

  const row = (status: string): LiveRow =>
    ({ type: { group: '', version: 'v1', kind: 'Pod' }, namespace: 'default', name: 'row', health: { status } }) as LiveRow;

  /** What does not say that it is the application's, by its name; what is listed and not among it or the others cannot be told. */
  type Unmarked = Readonly<Record<string, LiveRow | 'gone'>>;

  function failed(names: readonly string[], isComplete: boolean, others: Unmarked = {}): Comparison {
    const resources = names.map((name) => ({
      group: '',
      version: 'v1',
      kind: 'Pod',
      namespace: 'default',
      name,
      status: 'Unknown',
      health: { status: 'Degraded' },
      live: { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name } },
    }));
    const cluster = { cache: { tree: () => [] } };
    const unmarked = new Map(Object.entries(others).map(([name, found]) => [`/Pod/default/${name}`, found]));
    const seen = { cluster, isComplete, unmarked, result: { health: resources.length > 0 ? 'Degraded' : 'Healthy', resources } };
    const problems = [{ type: 'ComparisonError', message: 'no such path' }];
    return { kind: 'failed', cause: 'target', problems, cluster, seen } as unknown as Comparison;
  }

  const rows = ({ resources = [] }: ApplicationStatus): string[] =>
    resources.map(({ name, status, health }) => `${name} ${status} ${health?.status}`);

  it('is that of what lives, beside what was wanted before', () => {
    const status = build(before, failed(['web', 'another'], true, { gone: 'gone' }));
    expect(status).toMatchObject({ sync: { status: 'Unknown', revision: 'a' }, health: { status: 'Degraded', lastTransitionTime: NOW } });
    expect(rows(status)).toEqual(['another Unknown Degraded', 'gone Unknown Missing', 'web Unknown Degraded']);
  });

  it('is Missing where nothing lives, and unknown where nothing ever did', () => {
    expect(build(before, failed([], true, { gone: 'gone', web: 'gone' })).health?.status).toBe('Missing');
    expect(build({}, failed([], true)).health?.status).toBe('Unknown');
  });

  it('is not Missing where something is there that does not say whose it is', () => {
    const status = build({ ...before, health: { status: 'Degraded' } }, failed([], true, { gone: 'gone', web: row('Progressing') }));
    expect(status.health?.status).toBe('Healthy');
    expect(rows(status)).toEqual(['gone Unknown Missing', 'web Unknown Progressing']);
  });

  it('stays as it is where it cannot be told what is there', () => {
    const status = build(before, failed([], true, { gone: 'gone' }));
    expect(status.health).toEqual(before.health);
    expect(rows(status)).toEqual(['gone Unknown Missing', 'web Unknown Healthy']);
  });

  it('stays as it is where not all that lives can be read', () => {
    const status = build(before, failed(['web'], false));
    expect(status.health).toEqual(before.health);
    expect(rows(status)).toEqual(['gone Unknown Healthy', 'web Unknown Healthy']);
  });
});
