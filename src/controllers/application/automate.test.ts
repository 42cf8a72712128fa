import { describe, expect, it } from 'vitest';
import type { Application } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { createMemory, type ApplicationMemory } from './application-memory.ts';
import { rememberAttempt } from './attempted-target.ts';
import { automate, withAutomation } from './automate.ts';
import type { Comparison } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';
import type { Target } from './load-target.ts';

const nowMs = Date.parse('2026-01-01T10:30:00Z');
const parameters = {
  selfHealBackOffSeconds: 2,
  selfHealBackOffFactor: 3,
  selfHealBackOffCapSeconds: 300,
  selfHealLoopLimit: 10,
  deletionBudget: '',
};
const context = { clock: { nowMs: () => nowMs }, settings: { current: { parameters } } } as unknown as ControllerContext;
const signal = new AbortController().signal;

const application = (syncPolicy: object, annotations: Record<string, string> = {}): Application => ({
  metadata: { name: 'web', namespace: 'argocd', annotations },
  spec: { project: 'default', source: { repoURL: 'a' }, destination: { namespace: 'x' }, syncPolicy },
  status: { sync: { status: 'OutOfSync' }, resources: [{ kind: 'ConfigMap', name: 'a', status: 'OutOfSync' }] },
});

/** Freshly read objects, as each look has them. */
const targetAt = (revision: string, generation: string, value = 'a'): Target => {
  const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { value } };
  return { objects: [object], revisions: [revision], generations: [generation], sourceTypes: [], commands: [] };
};

const comparison = (syncWindows: readonly object[] = []): Comparison =>
  ({
    kind: 'compared',
    project: { spec: { syncWindows } },
    target: targetAt('abc', 'aaa'),
    result: { resources: [] },
  }) as unknown as Comparison;

const decide = (given: Application, windows: readonly object[] = [], memory = createMemory()) =>
  automate(context, given, { comparison: comparison(windows), memory }, signal);

describe('Automation', () => {
  describe('of an application that says what it is made from', () => {
    const paths = { 'argocd.argoproj.io/manifest-generate-paths': '.' };
    const after = (phase: string, automated: object = {}): Application => {
      const given = application({ automated }, paths);
      const syncResult = { revision: 'before', source: { repoURL: 'a' } };
      const operationState = { phase, message: 'no', operation: {}, startedAt: '2026-01-01T10:00:00Z', syncResult };
      return { ...given, status: { ...given.status, operationState } };
    };
    const attempted = (generation: string, value?: string, annotations: Record<string, string> = paths): ApplicationMemory => {
      const memory = createMemory();
      rememberAttempt(application({}, annotations), targetAt('before', generation, value), memory);
      return memory;
    };

    it('does not try again what failed where a commit touches nothing of that', async () => {
      expect((await decide(after('Failed'), [], attempted('aaa'))).plan).toMatchObject({ kind: 'refused' });
      expect((await decide(after('Failed'), [], attempted('other'))).plan).toMatchObject({ kind: 'sync' });
      expect((await decide(after('Failed'))).plan).toMatchObject({ kind: 'sync' });
      expect((await decide(after('Failed'), [], attempted('aaa', 'a', {}))).plan).toMatchObject({ kind: 'sync' });
    });

    it('syncs what is made otherwise all the same: it is made from more than it says', async () => {
      expect((await decide(after('Succeeded'), [], attempted('aaa'))).plan).toEqual({ kind: 'none' });
      for (const phase of ['Succeeded', 'Failed'])
        expect((await decide(after(phase), [], attempted('aaa', 'b'))).plan).toMatchObject({ kind: 'sync' });
      // All of it, with history, and not what differs alone.
      const { plan } = await decide(after('Succeeded', { selfHeal: true }), [], attempted('aaa', 'b'));
      expect(plan).toMatchObject({ kind: 'sync', operation: { sync: { revision: 'abc' } } });
      expect(plan).not.toHaveProperty('operation.sync.resources');
    });
  });

  const closed = { kind: 'deny', schedule: '0 10 * * *', duration: '1h', applications: ['*'] };
  const later = { kind: 'deny', schedule: '0 12 * * *', duration: '1h', applications: ['*'] };

  it('waits for the end of a window, and looks again at that moment though nothing else happens', async () => {
    expect(await decide(application({ automated: {} }), [closed])).toEqual({ plan: undefined, againAfterMs: 30 * 60_000 + 1 });
  });

  it('begins where no window is closed, and knows when one will be', async () => {
    expect(await decide(application({ automated: {} }), [later])).toMatchObject({ plan: { kind: 'sync' }, againAfterMs: 90 * 60_000 + 1 });
    expect(await decide(application({ automated: {} }))).toMatchObject({ plan: { kind: 'sync' }, againAfterMs: undefined });
  });

  it("is nobody's matter where it is off", async () => {
    expect(await decide(application({}), [closed])).toEqual({ plan: { kind: 'none' }, againAfterMs: undefined });
    expect(await decide(application({ automated: { enabled: false } }))).toMatchObject({ plan: { kind: 'none' } });
  });

  it('looks again when an application is no longer held, and shows while it is', async () => {
    const held = application({}, { 'fairway.dev/pinned-revision': 'abc', 'fairway.dev/pin-until': '2026-01-01T11:00:00Z' });
    expect(await decide(held)).toEqual({ plan: { kind: 'none' }, againAfterMs: 30 * 60_000 });
    const { status } = withAutomation(held, { kind: 'none' }, nowMs, '2026-01-01T10:30:00Z');
    expect(status?.conditions).toEqual([
      { type: 'PinnedWarning', message: 'held at abc until 2026-01-01T11:00:00Z', lastTransitionTime: '2026-01-01T10:30:00Z' },
    ]);
    const released = { ...held, status: { ...held.status, ...status }, metadata: { ...held.metadata, annotations: {} } };
    expect(withAutomation(released, { kind: 'none' }, nowMs, '2026-01-01T10:30:00Z').status?.conditions).toBeUndefined();
  });
});
