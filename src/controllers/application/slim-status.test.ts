import { describe, expect, it } from 'vitest';
import type { ApplicationStatus, ResourceResult, RevisionHistory } from '../../model/index.ts';
import { statusError } from '../../objects/index.ts';
import { isTooLarge, slimStatus } from './slim-status.ts';

const now = '2026-01-01T00:00:00Z';
const later = '2026-01-01T00:10:00Z';
const row = (name: string, rest: Partial<ResourceResult> = {}): ResourceResult => ({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  namespace: 'default',
  name,
  status: 'Synced',
  hookPhase: 'Running',
  ...rest,
});
const large: ApplicationStatus = {
  sync: { status: 'OutOfSync', revision: 'abc' },
  health: { status: 'Healthy' },
  resources: [{ kind: 'ConfigMap', name: 'a' }],
  summary: { images: ['nginx:1'] },
  conditions: [{ type: 'OrphanedResourceWarning', message: 'Application has 2 orphaned resources', lastTransitionTime: now }],
};

describe('A status that is too large for its cluster', () => {
  it('keeps its verdict and its warnings, and says what is left out', () => {
    const slim = slimStatus(large, undefined, now);
    expect(slim).toMatchObject({ sync: large.sync, health: large.health });
    expect(slim).not.toHaveProperty('resources');
    expect(slim).not.toHaveProperty('summary');
    expect(slim.conditions?.map(({ type }) => type)).toEqual(['OrphanedResourceWarning', 'UnknownError']);
    expect(slim.conditions?.[1]?.message).toMatch(
      /^Application status exceeds the Kubernetes resource size limit and could not be persisted\./,
    );
  });

  it('is the same when it is found too large again, so that it is not written again', () => {
    const slim = slimStatus(large, undefined, now);
    expect(slimStatus(large, slim, later)).toEqual(slim);
  });

  it('knows of its operation what must not be done twice, and what failed', () => {
    const resources = [
      row('plain'),
      row('job', { hookType: 'PreSync', hookPhase: 'Succeeded' }),
      row('gone', { status: 'Pruned' }),
      row('bad', { status: 'SyncFailed', message: 'no '.repeat(2_000) }),
    ];
    const operationState = { phase: 'Running', operation: {}, startedAt: now, syncResult: { revision: 'abc', resources } };
    const slim = slimStatus({ operationState }, undefined, now).operationState;
    expect(slim?.syncResult?.resources?.map(({ name }) => name)).toEqual(['job', 'gone', 'bad']);
    expect(slim?.syncResult?.resources?.[2]?.message).toHaveLength(2_001);
    expect(slim).toMatchObject({ phase: 'Running', syncResult: { revision: 'abc' } });
  });

  it('keeps the last deployments, and the very last however large it is', () => {
    const entry = (id: number, characters: number): RevisionHistory => ({ id, revision: 'r'.repeat(characters) }) as RevisionHistory;
    const idsOf = (history: RevisionHistory[]) => slimStatus({ history }, undefined, now).history?.map(({ id }) => id);
    expect(idsOf([1, 2, 3, 4].map((id) => entry(id, 120_000)))).toEqual([3, 4]);
    expect(idsOf([entry(1, 10), entry(2, 900_000)])).toEqual([2]);
    expect(idsOf([entry(1, 10), entry(2, 10)])).toEqual([1, 2]);
    expect(idsOf([])).toEqual([]);
  });
});

describe('A refusal for the size of an object', () => {
  it.each([
    statusError('RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
    statusError('InternalError', 'etcdserver: request is too large'),
    statusError('InternalError', 'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2400000 vs. 2097152)'),
  ])('is known by its reason or its words: $message', (error) => expect(isTooLarge(error)).toBe(true));

  it.each([statusError('InternalError', 'the server is ill'), new Error('request is too large'), undefined])(
    'is not taken for another one: %s',
    (error) => expect(isTooLarge(error)).toBe(false),
  );
});
