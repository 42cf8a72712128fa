import { describe, expect, it } from 'vitest';
import { readApplication, readApplicationSet, type Application, type ApplicationSetApplicationStatus } from '../../../model/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import { typedSpec, type DesiredApplication } from '../desired-application.ts';
import { matchSteps, updatesMax } from './match-steps.ts';
import { planRollout, withoutAutomation } from './plan-rollout.ts';

const source = { repoURL: 'https://x', path: 'a' };
const destination = { server: 's' };
const early = '2026-01-01T00:00:00Z';
const later = '2026-01-01T01:00:00Z';
const now = '2026-01-01T02:00:00Z';

const wanted = (name: string, labels: Record<string, string> = {}, spec: object = {}): DesiredApplication => ({
  name,
  labels,
  annotations: {},
  finalizers: [],
  spec: typedSpec({ project: 'p', source, destination, ...spec }),
});

interface Live {
  readonly sync?: string;
  readonly health?: string;
  readonly revision?: string;
  readonly operation?: { readonly phase: string; readonly startedAt: string; readonly finishedAt?: string };
  readonly reconciledAt?: string;
  readonly comparedTo?: JsonObject;
  readonly conditions?: JsonValue;
}

function live(name: string, state: Live = {}): Application {
  const { sync = 'Synced', health = 'Healthy', revision = 'r1', operation, reconciledAt = later, conditions } = state;
  const initiatedBy = { username: 'applicationset-controller' };
  const operationState = operation && { operation: { initiatedBy }, ...operation };
  return readApplication({
    apiVersion: '',
    kind: '',
    metadata: { name },
    spec: { project: 'p', source, destination },
    status: JSON.parse(
      JSON.stringify({
        sync: { status: sync, revision, comparedTo: state.comparedTo ?? { source, destination } },
        health: { status: health },
        operationState,
        reconciledAt,
        conditions,
      }),
    ) as JsonObject,
  });
}

const known = (application: string, status: string, more: object = {}): ApplicationSetApplicationStatus => ({
  application,
  status,
  step: '1',
  message: 'before',
  targetRevisions: ['r1'],
  lastTransitionTime: early,
  ...more,
});

const step = (value: string, maxUpdate?: number | string): JsonObject => ({
  matchExpressions: [{ key: 'env', operator: 'In', values: [value] }],
  ...(maxUpdate !== undefined && { maxUpdate }),
});

interface Story {
  readonly steps?: readonly JsonObject[];
  readonly desired: readonly DesiredApplication[];
  readonly live: readonly Application[];
  readonly before?: readonly ApplicationSetApplicationStatus[];
  readonly differs?: readonly string[];
  readonly command?: string;
}

function plan({ steps = [{}], desired, live: there, before = [], differs = [], command }: Story) {
  const set = readApplicationSet({
    apiVersion: '',
    kind: '',
    metadata: { name: 'set', ...(command && { annotations: { 'fairway.dev/rollout': command } }) },
    spec: { strategy: { type: 'RollingSync', rollingSync: { steps } } },
    status: JSON.parse(JSON.stringify({ applicationStatus: before })) as JsonObject,
  });
  const planned = planRollout({
    set,
    desired,
    live: new Map(there.map((one) => [one.metadata.name ?? '', one])),
    isSpecDifferent: ({ name }) => differs.includes(name),
    now,
  });
  return {
    ...planned,
    states: planned.statuses.map(({ application, status, step: number }) => `${application} ${status} ${number}`),
    messages: planned.statuses.map(({ message }) => message),
    begun: [...planned.operations.keys()],
  };
}

describe('the steps of a rollout', () => {
  const labelled = [wanted('a', { env: 'dev' }), wanted('b', { env: 'prod' }), wanted('c')];
  const expression = (operator: string, ...values: string[]): JsonObject => ({ matchExpressions: [{ key: 'env', operator, values }] });

  it.each([
    [expression('In', 'dev'), ['a']],
    [expression('NotIn', 'dev'), ['b', 'c']],
    [expression('Exists'), ['c']],
    [{}, ['a', 'b', 'c']],
    [
      {
        matchExpressions: [
          { key: 'env', operator: 'NotIn', values: ['dev'] },
          { key: 'env', operator: 'In', values: ['prod'] },
        ],
      },
      ['b'],
    ],
  ])('%j takes %j', (one, names) => expect(matchSteps([one as JsonObject], labelled).members).toEqual([names]));

  it('count for an application from the first that fits', () => {
    const { members, stepOf } = matchSteps([step('dev'), {}], [wanted('a', { env: 'dev' }), wanted('b')]);
    expect([members, [...stepOf]]).toEqual([
      [['a'], ['a', 'b']],
      [
        ['a', 0],
        ['b', 1],
      ],
    ]);
  });

  it.each([
    [undefined, 7, Number.POSITIVE_INFINITY],
    [3, 7, 3],
    [0, 7, 0],
    ['25%', 7, 1],
    ['30%', 7, 2],
    ['10%', 3, 1],
    ['0%', 7, 0],
    ['100%', 7, 7],
    ['nope', 7, 1],
    ['2', 7, 2],
  ])('with at most %s of %i let %d go on', (max, total, count) => expect(updatesMax(max, total)).toBe(count));
});

describe('an application in a rollout', () => {
  const one = (state: Live, before: readonly ApplicationSetApplicationStatus[], more: Partial<Story> = {}) =>
    plan({ desired: [wanted('a')], live: [live('a', state)], before, steps: [{ maxUpdate: 0 }], ...more });
  const waiting = [known('a', 'Waiting')];
  const pending = [known('a', 'Pending')];
  const progressing = [known('a', 'Progressing')];
  const running = { phase: 'Running', startedAt: later };
  const done = (phase: string) => ({ phase, startedAt: later, finishedAt: later });

  it.each([
    ['is first seen', {}, [], 'a Healthy 1', 'Application resource has synced, updating status to Healthy'],
    [
      'is at another revision',
      { revision: 'r2', sync: 'OutOfSync' },
      [known('a', 'Healthy')],
      'a Waiting 1',
      'Application has pending changes, setting status to Waiting',
    ],
    ['is synced and well', {}, waiting, 'a Healthy 1', 'Application resource has synced, updating status to Healthy'],
    [
      'is synced and not well',
      { health: 'Progressing' },
      waiting,
      'a Progressing 1',
      'Application resource has synced, updating status to Progressing',
    ],
    ['is not synced', { sync: 'OutOfSync' }, waiting, 'a Waiting 1', 'before'],
    ['has not begun', { sync: 'OutOfSync' }, pending, 'a Pending 1', 'before'],
    [
      'syncs',
      { sync: 'OutOfSync', operation: running },
      pending,
      'a Progressing 1',
      'Application resource became Progressing, updating status from Pending to Progressing',
    ],
    [
      'could not sync',
      { sync: 'OutOfSync', operation: done('Failed') },
      pending,
      'a Progressing 1',
      'Application resource completed a sync, updating status from Pending to Progressing',
    ],
    [
      'has synced',
      { health: 'Progressing', operation: done('Succeeded') },
      pending,
      'a Progressing 1',
      'Application resource completed a sync successfully, updating status from Pending to Progressing',
    ],
    [
      'has synced and is well',
      { operation: done('Succeeded') },
      pending,
      'a Healthy 1',
      'Application resource became Healthy, updating status from Progressing to Healthy',
    ],
    [
      'cannot sync',
      { sync: 'Unknown', conditions: [{ type: 'InvalidSpecError', message: 'x' }] },
      pending,
      'a Progressing 1',
      'Application resource has error and cannot sync, updating status to Progressing',
    ],
    ['has become well', {}, progressing, 'a Healthy 1', 'Application resource became Healthy, updating status from Progressing to Healthy'],
    ['stays unwell', { health: 'Degraded' }, progressing, 'a Progressing 1', 'before'],
  ] as const)('%s', (_what, state, before, status, message) => {
    const { states, messages } = one(state as Live, before);
    expect([states, messages]).toEqual([[status], [message]]);
  });

  it('waits where it is to be another', () => {
    const differs = ['a'];
    expect(one({}, [known('a', 'Healthy')], { differs }).messages).toEqual([
      'Application has pending changes (spec differs), setting status to Waiting',
    ]);
    expect(one({ revision: 'r2' }, [known('a', 'Healthy')], { differs }).messages).toEqual([
      'Application has pending changes (revision and spec differ), setting status to Waiting',
    ]);
  });

  it('is never judged by what was true before: another spec, another sync', () => {
    const elsewhere = { source: { ...source, path: 'old' }, destination };
    expect(one({ comparedTo: elsewhere }, waiting).states).toEqual(['a Waiting 1']);
    expect(one({ comparedTo: elsewhere }, progressing).states).toEqual(['a Progressing 1']);
    const unseen = { phase: 'Succeeded', startedAt: later, finishedAt: now };
    expect(one({ operation: unseen, reconciledAt: later }, progressing).states).toEqual(['a Progressing 1']);
    expect(one({ operation: running }, progressing).states).toEqual(['a Progressing 1']);
    // A sync from before it was told to begin.
    const old = { phase: 'Succeeded', startedAt: early, finishedAt: early };
    expect(one({ sync: 'OutOfSync', operation: old }, [known('a', 'Pending', { lastTransitionTime: later })]).states).toEqual([
      'a Pending 1',
    ]);
  });

  it('keeps its time while nothing changes', () => {
    const [status] = one({ sync: 'OutOfSync' }, waiting).statuses;
    expect(status).toEqual({ ...waiting[0] });
  });

  it('of an older version is completed', () => {
    const old = { ...known('a', 'Healthy'), targetRevisions: null } as unknown as ApplicationSetApplicationStatus;
    expect(one({}, [old]).statuses[0]).toMatchObject({ targetRevisions: ['r1'] });
  });
});

describe('a rollout', () => {
  const steps = [step('dev'), step('prod', 1)];
  const desired = [wanted('d1', { env: 'dev' }), wanted('p1', { env: 'prod' }), wanted('p2', { env: 'prod' }), wanted('x')];
  const out = { sync: 'OutOfSync' };
  const all = (dev: Live, first: Live = out, second: Live = out) => [
    live('d1', dev),
    live('p1', first),
    live('p2', second),
    live('x', out),
  ];
  const waiting = ['d1', 'p1', 'p2', 'x'].map((name) => known(name, 'Waiting'));

  it('begins with its first step, and leaves out what belongs to none', () => {
    const { states, begun, state } = plan({ steps, desired, live: all(out), before: waiting });
    expect(states).toEqual(['d1 Pending 1', 'p1 Waiting 2', 'p2 Waiting 2', 'x Waiting -1']);
    expect([begun, state]).toEqual([['d1'], { isComplete: false, step: 1 }]);
  });

  it('goes on when all of a step are well, as many at a time as it may', () => {
    const { states, begun, state } = plan({ steps, desired, live: all({}), before: waiting });
    expect(states).toEqual(['d1 Healthy 1', 'p1 Pending 2', 'p2 Waiting 2', 'x Waiting -1']);
    expect([begun, state]).toEqual([['p1'], { isComplete: false, step: 2 }]);
    const next = [known('d1', 'Healthy'), known('p1', 'Progressing'), known('p2', 'Waiting'), known('x', 'Waiting')];
    expect(plan({ steps, desired, live: all({}, { health: 'Degraded' }), before: next }).states[2]).toBe('p2 Waiting 2');
    expect(plan({ steps, desired, live: all({}, {}), before: next }).states[2]).toBe('p2 Pending 2');
  });

  it('is complete when all steps are', () =>
    expect(plan({ steps, desired, live: all({}, {}, {}), before: waiting }).state).toEqual({ isComplete: true, step: 0 }));

  it('waits for an application that is not there yet, or that nobody has looked at', () => {
    expect(plan({ steps, desired, live: all({}).slice(1), before: waiting }).begun).toEqual([]);
    const { status: _none, ...unseen } = live('d1');
    expect(plan({ steps, desired, live: [unseen, ...all({}).slice(1)], before: [] }).states[0]).toBe('d1 Waiting 1');
  });

  it('passes a step without applications', () =>
    expect(plan({ steps: [step('none'), step('dev')], desired, live: all(out), before: waiting }).begun).toEqual(['d1']));

  it('begins a sync again that a process was stopped before, and none twice', () => {
    const before = [known('d1', 'Pending', { lastTransitionTime: early })];
    expect(plan({ steps, desired, live: all(out), before }).begun).toEqual(['d1']);
    const begun = { ...live('d1', out), operation: {} };
    expect(plan({ steps, desired, live: [begun, ...all(out).slice(1)], before }).begun).toEqual([]);
    const other = { ...out, operation: { phase: 'Running', startedAt: '2025-01-01T00:00:00Z' } };
    expect(plan({ steps, desired, live: all(other), before }).begun).toEqual([]);
  });

  it('waits a second where the last sync began in this one', () => {
    const justNow = { ...out, operation: { phase: 'Succeeded', startedAt: now, finishedAt: now } };
    const planned = plan({ steps, desired, live: all(justNow), before: waiting });
    expect([planned.states[0], planned.begun, planned.isEarly]).toEqual(['d1 Waiting 1', [], true]);
  });

  it('says what to sync', () => {
    const policy = { automated: { prune: true }, syncOptions: ['A=b'] };
    const app = wanted('d1', { env: 'dev' }, { syncPolicy: policy });
    const planned = plan({ steps, desired: [app], live: [live('d1', out)], before: [known('d1', 'Pending')] });
    expect(planned.operations.get('d1')).toEqual({
      initiatedBy: { username: 'applicationset-controller', automated: true },
      info: [{ name: 'Reason', value: 'ApplicationSet RollingSync triggered a sync of this Application resource' }],
      sync: { prune: true, syncOptions: ['A=b'] },
      retry: { limit: 5 },
    });
    expect(withoutAutomation(app).spec.syncPolicy).toEqual({ automated: { prune: true, enabled: false }, syncOptions: ['A=b'] });
  });

  it('begins nothing while it is paused', () => {
    const planned = plan({ steps, desired, live: all(out), before: waiting, command: 'pause' });
    expect([planned.begun, planned.states[0], planned.state.message]).toEqual([
      [],
      'd1 Waiting 1',
      'ApplicationSet rollout is paused at step 1',
    ]);
  });

  it('takes back what has not begun and ends what runs when it is aborted', () => {
    const before = [known('d1', 'Pending'), known('p1', 'Progressing'), known('p2', 'Waiting')];
    const busy = { ...out, operation: { phase: 'Running', startedAt: later } };
    const planned = plan({ steps, desired, live: all(out, busy), before, command: 'abort' });
    expect(planned.states).toEqual(['d1 Waiting 1', 'p1 Waiting 2', 'p2 Waiting 2', 'x Waiting -1']);
    expect([planned.begun, planned.terminations]).toEqual([[], ['p1']]);
    expect(planned.messages.slice(0, 2)).toEqual([
      'The rollout was aborted before the Application began to sync',
      'The rollout was aborted while the Application was syncing',
    ]);
  });

  it('ends what still runs at the next look, and begins it anew when it goes on', () => {
    const before = [known('d1', 'Healthy'), known('p1', 'Waiting'), known('p2', 'Waiting')];
    const busy = { ...out, operation: { phase: 'Running', startedAt: later } };
    const again = plan({ steps, desired, live: all({}, busy), before, command: 'abort' });
    expect([again.states[1], again.terminations]).toEqual(['p1 Waiting 2', ['p1']]);
    const ended = { ...out, operation: { phase: 'Failed', startedAt: later, finishedAt: later } };
    const resumed = plan({ steps, desired, live: all({}, ended), before });
    expect(resumed.begun).toContain('p1');
  });
});
