import { describe, expect, it } from 'vitest';
import type { Application, ApplicationStatus, OperationState } from '../../model/index.ts';
import { createMemory, requestRefresh } from './application-memory.ts';
import { planPatch } from './apply-object.ts';
import { mergeConditions } from './conditions.ts';
import { lastAppliedOf, withLastApplied } from './last-applied.ts';
import { planAutoSync } from './plan-auto-sync.ts';
import { planRefresh } from './plan-refresh.ts';
import { recordHistory } from './record-history.ts';
import { planChange } from './write-application.ts';

const source = { repoURL: 'https://git.example.com/shop', path: 'web' };
const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };

function application(status: ApplicationStatus = {}, more: Partial<Application> = {}): Application {
  return { metadata: { name: 'web', namespace: 'argocd' }, spec: { project: 'default', source, destination }, status, ...more };
}

const compared: ApplicationStatus = {
  sync: { status: 'Synced', comparedTo: { source, destination }, revision: 'abc' },
  reconciledAt: '2026-01-01T00:00:00Z',
};
const nowMs = Date.parse('2026-01-01T00:01:00Z');

describe('What has to be looked at anew', () => {
  const plan = (given: Application, more: object = {}) =>
    planRefresh({ application: given, requested: undefined, isKnown: true, comparedMs: undefined, expiryMs: 120_000, nowMs, ...more });

  it.each([
    ['nothing, while all is as it was', application(compared), {}, undefined],
    ['all of it, where nobody ever looked', application(), {}, 'fresh-revision'],
    ['the known, after a start', application(compared), { isKnown: false }, 'same-revision'],
    ['the known, where something changed in the cluster', application(compared), { requested: 'same-revision' }, 'same-revision'],
    ['the revision, when its time is up', application(compared), { nowMs: nowMs + 60_000 }, 'known-revision'],
    ['the revision, where the last look is in the future', application(compared), { comparedMs: nowMs + 1 }, 'known-revision'],
    ['nothing, where time is switched off', application(compared), { nowMs: nowMs + 9e9, expiryMs: undefined }, undefined],
    ['nothing, where this process has looked since', application(compared), { nowMs: nowMs + 90_000, comparedMs: nowMs }, undefined],
  ] as const)('is %s', (_what, given, more, level) => {
    expect(plan(given, more)?.level).toBe(level);
  });

  it('is the repository itself where its source is another, or somebody asks', () => {
    const spec = { ...application().spec, source: { ...source, path: 'other' } };
    expect(plan(application(compared, { spec }))?.level).toBe('fresh-revision');
    const asked = (kind: string): Application =>
      application(compared, { metadata: { name: 'web', annotations: { 'argocd.argoproj.io/refresh': kind } } });
    expect(plan(asked('normal'))).toMatchObject({ level: 'fresh-revision', hard: false });
    expect(plan(asked('hard'))).toMatchObject({ level: 'fresh-revision', hard: true });
    expect(plan(asked(''))).toMatchObject({ hard: false });
    const moved = { ...application().spec, destination: { ...destination, namespace: 'other' } };
    expect(plan(application(compared, { spec: moved }))?.level).toBe('known-revision');
  });
});

describe('A fresh revision', () => {
  const requested = 'fresh-revision';
  const askedMs = nowMs - 500;

  it('is one from after the moment that it was asked for', () => {
    const plan = (given: Application) =>
      planRefresh({ application: given, requested, freshSinceMs: askedMs, isKnown: true, comparedMs: nowMs, expiryMs: undefined, nowMs });
    expect(plan(application(compared))).toMatchObject({ level: requested, sinceMs: askedMs });
    const asked = { metadata: { name: 'web', annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
    const made = { requested: undefined, isKnown: false, comparedMs: undefined, expiryMs: undefined, nowMs };
    expect(planRefresh({ application: application(), ...made, specSeenMs: askedMs })?.sinceMs).toBe(askedMs);
    expect(planRefresh({ application: application(), ...made })?.sinceMs).toBe(nowMs);
    const both = { ...made, requested, freshSinceMs: askedMs + 100, specSeenMs: askedMs } as const;
    expect(planRefresh({ application: application(), ...both })?.sinceMs).toBe(askedMs + 100);
    expect(plan(application(compared, asked))).toMatchObject({ level: requested, sinceMs: nowMs });
  });

  it('is asked for by the last of those who asked', () => {
    const memory = createMemory();
    requestRefresh(memory, 'same-revision', nowMs);
    expect(memory).toMatchObject({ requested: 'same-revision', freshSinceMs: undefined });
    requestRefresh(memory, 'fresh-revision', nowMs);
    requestRefresh(memory, 'fresh-revision', askedMs);
    requestRefresh(memory, 'known-revision', nowMs + 1);
    expect(memory).toMatchObject({ requested: 'fresh-revision', freshSinceMs: nowMs });
  });
});

describe('Automation', () => {
  const selfHeal = { firstMs: 2_000, factor: 3, maxMs: 300_000 };
  const different = [{ kind: 'ConfigMap', name: 'a', status: 'OutOfSync' }];
  const state = (more: Partial<OperationState> = {}): OperationState => ({
    operation: { sync: { revision: 'abc' } },
    phase: 'Succeeded',
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:00:59Z',
    syncResult: { revision: 'abc', source },
    ...more,
  });
  const plan = (automated: object | undefined, status: ApplicationStatus = {}, more: object = {}) =>
    planAutoSync({
      application: application(status, { spec: { ...application().spec, ...(automated && { syncPolicy: { automated } }) } }),
      syncStatus: 'OutOfSync',
      resources: different,
      revisions: ['abc'],
      nowMs,
      selfHeal,
      ...more,
    });

  it('does nothing where there is none, it is off, or all is in order', () => {
    expect(plan(undefined)).toEqual({ kind: 'none' });
    expect(plan({ enabled: false })).toEqual({ kind: 'none' });
    expect(plan({}, {}, { syncStatus: 'Synced' })).toEqual({ kind: 'none' });
    expect(plan({}, {}, { resources: [{ ...different[0], requiresPruning: true }] })).toEqual({ kind: 'none' });
  });

  it('syncs a new revision, with the retries that are usual', () => {
    expect(plan({ prune: true })).toEqual({
      kind: 'sync',
      operation: { sync: { source, revision: 'abc', prune: true }, initiatedBy: { automated: true }, retry: { limit: 5 } },
    });
    expect(plan({}, { operationState: state({ syncResult: { revision: 'old', source } }) })).toMatchObject({ kind: 'sync' });
  });

  it('does not try again what failed, and says so', () => {
    expect(plan({ selfHeal: true }, { operationState: state({ phase: 'Failed', message: 'no' }) })).toEqual({
      kind: 'refused',
      message: 'Failed last sync attempt to [abc]: no',
    });
  });

  it('heals only where it may, only what differs, and each time with more patience', () => {
    expect(plan({}, { operationState: state() })).toEqual({ kind: 'none' });
    expect(plan({ selfHeal: true }, { operationState: state() })).toMatchObject({
      kind: 'sync',
      operation: { sync: { autoHealAttemptsCount: 1, resources: [{ kind: 'ConfigMap', name: 'a' }] } },
    });
    const healed = (count: number): OperationState => state({ operation: { sync: { revision: 'abc', autoHealAttemptsCount: count } } });
    expect(plan({ selfHeal: true }, { operationState: healed(1) })).toEqual({ kind: 'later', afterMs: 1_000 });
    expect(plan({ selfHeal: true }, { operationState: healed(2) })).toEqual({ kind: 'later', afterMs: 5_000 });
    expect(plan({ selfHeal: true }, { operationState: healed(9) })).toEqual({ kind: 'later', afterMs: 299_000 });
  });

  it('never wipes out everything unless it is told to', () => {
    const resources = [{ kind: 'ConfigMap', name: 'a', status: 'OutOfSync', requiresPruning: true }];
    expect(plan({ prune: true }, {}, { resources })).toEqual({
      kind: 'refused',
      message: 'Skipping sync attempt to [abc]: auto-sync will wipe out all resources',
    });
    expect(plan({ prune: true, allowEmpty: true }, {}, { resources })).toMatchObject({ kind: 'sync' });
  });
});

describe('Conditions', () => {
  it('keep their time while they say the same, go when they are not found, and stay where nobody looked', () => {
    const old = '2026-01-01T00:00:00Z';
    const present = [
      { type: 'ComparisonError', message: 'same', lastTransitionTime: old },
      { type: 'InvalidSpecError', message: 'gone', lastTransitionTime: old },
      { type: 'SyncError', message: 'other', lastTransitionTime: old },
    ];
    const found = [
      { type: 'ComparisonError', message: 'same' },
      { type: 'ComparisonError', message: 'new' },
    ];
    expect(mergeConditions(present, found, new Set(['ComparisonError', 'InvalidSpecError']), 'now')).toEqual([
      { type: 'ComparisonError', message: 'new', lastTransitionTime: 'now' },
      { type: 'ComparisonError', message: 'same', lastTransitionTime: old },
      { type: 'SyncError', message: 'other', lastTransitionTime: old },
    ]);
  });
});

describe('History', () => {
  const done = (sync: object = {}): OperationState => ({
    operation: { sync: { ...sync } },
    phase: 'Succeeded',
    startedAt: 'start',
    syncResult: { revision: 'abc', source },
  });

  it('counts on from the last entry and keeps as many as it should', () => {
    const history = Array.from({ length: 10 }, (_, id) => ({ id: id + 5, deployedAt: 'x', revision: String(id) }));
    const next = recordHistory(application({ history }), done(), 'end');
    expect(next).toHaveLength(10);
    expect(next?.at(-1)).toEqual({ id: 15, deployedAt: 'end', deployStartedAt: 'start', revision: 'abc', source });
    expect(recordHistory(application({}, { spec: { ...application().spec, revisionHistoryLimit: 0 } }), done(), 'end')).toEqual([]);
    expect(recordHistory(application(), done(), 'end')?.[0]?.id).toBe(0);
  });

  it('has no entry for what was only tried, was partial or failed', () => {
    expect(recordHistory(application(), done({ dryRun: true }), 'end')).toBeUndefined();
    expect(recordHistory(application(), done({ resources: [{ kind: 'A', name: 'b' }] }), 'end')).toBeUndefined();
    expect(recordHistory(application(), { ...done(), phase: 'Failed' }, 'end')).toBeUndefined();
  });
});

describe('What is sent to apply an object', () => {
  const desired = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'x' }, data: { text: '<b> & more' } };

  it('is nothing where it was applied like this before', () => {
    const applied = withLastApplied(desired);
    const live = { ...applied, metadata: { ...applied.metadata, uid: '1', resourceVersion: '2' } };
    expect(planPatch(applied, live)).toBeUndefined();
    expect(lastAppliedOf(live)).toMatchObject({ data: { text: '<b> & more' } });
  });

  it('leaves a record as kubectl does', () => {
    expect(withLastApplied(desired).metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']).toBe(
      '{"apiVersion":"v1","data":{"text":"\\u003cb\\u003e \\u0026 more"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a","namespace":"x"}}\n',
    );
  });

  it('takes away what was applied before and is not wanted any more, and nothing else', () => {
    const before = withLastApplied({ ...desired, data: { text: 'x', old: 'y' } });
    const live = { ...before, data: { text: 'x', old: 'y', theirs: 'z' } };
    expect(planPatch(withLastApplied({ ...desired, data: { text: 'x' } }), live)).toMatchObject({
      type: 'strategic',
      body: { data: { old: null } },
    });
  });

  it('survives a record that nobody can read', () => {
    const live = {
      ...desired,
      metadata: { ...desired.metadata, annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{' } },
    };
    expect(lastAppliedOf(live)).toEqual({});
  });
});

describe('What is written of an application', () => {
  it('is only what changed, and nothing where nothing did', () => {
    expect(planChange(application(compared), { status: compared, isRefreshed: true })).toBeUndefined();
    const status = { ...compared, health: { status: 'Healthy' } };
    expect(planChange(application(compared), { status })).toEqual({ status: { health: { status: 'Healthy' } } });
    expect(planChange(application(status), { status: compared })).toEqual({ status: { health: null } });
  });
});
