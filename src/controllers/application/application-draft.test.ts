import { describe, expect, it } from 'vitest';
import type { Application } from '../../model/index.ts';
import { applyMergePatch, statusError, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { openDraft } from './application-draft.ts';
import type { ControllerContext } from './controller-context.ts';
import { StaleApplication } from './write-application.ts';

const first = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd', resourceVersion: '1' },
  spec: { project: 'default', destination: {} },
  operation: { sync: { revision: 'a' }, initiatedBy: { username: 'me' } },
} as unknown as Application;

/** A home that holds one application and checks the version and the size, as a cluster does. */
function open({ charactersMax = Infinity } = {}) {
  const timers = new ManualTimers();
  const patches: JsonObject[] = [];
  let stored = first as unknown as KubeObject;
  const home = {
    async patch(_type: unknown, _ref: unknown, { body }: { readonly body: JsonObject }): Promise<KubeObject> {
      const { resourceVersion } = body['metadata'] as { readonly resourceVersion: string };
      if (resourceVersion !== stored.metadata.resourceVersion) throw statusError('Conflict', 'the object has been modified');
      const next = applyMergePatch(stored as unknown as JsonObject, body) as unknown as KubeObject;
      if (JSON.stringify(next).length > charactersMax) throw statusError('InternalError', 'etcdserver: request is too large');
      patches.push(body);
      stored = { ...next, metadata: { ...next.metadata, resourceVersion: String(Number(resourceVersion) + 1) } };
      return stored;
    },
  };
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const applications = { noticeWrite: () => undefined };
  const context = { home, namespace: 'argocd', applications, timers, clock: timers, log } as unknown as ControllerContext;
  const draft = openDraft(context, first, new AbortController().signal);
  const touch = (): void => void (stored = { ...stored, metadata: { ...stored.metadata, resourceVersion: '7' } });
  return { draft, timers, patches, warnings, touch, read: () => stored as unknown as Application };
}

const state = (phase: string) => ({ phase, operation: {}, startedAt: '2026-01-01T00:00:00Z' });

describe('What is noted of an application', () => {
  it('is seen at once and written with what comes after it', async () => {
    const { draft, patches } = open();
    const told: string[] = [];
    draft.note({ status: { operationState: state('Running') } });
    draft.note({ status: { operationState: state('Succeeded') }, isOperationOver: true }, () => told.push('ended'));
    expect(draft.application.operation).toBeUndefined();
    expect(draft.application.status?.operationState?.phase).toBe('Succeeded');
    expect(told).toEqual([]);
    await draft.write({ status: { ...draft.application.status, sync: { status: 'Synced' } } }, () => told.push('compared'));
    expect(told).toEqual(['ended', 'compared']);
    expect(patches).toEqual([
      {
        metadata: { resourceVersion: '1' },
        operation: null,
        status: { operationState: state('Succeeded'), sync: { status: 'Synced' } },
      },
    ]);
    await draft.close();
    expect(patches).toHaveLength(1);
  });

  it('is written by itself where nothing comes for a while', async () => {
    const { draft, timers, patches } = open();
    draft.note({ status: { operationState: state('Running') } });
    await timers.advance(499);
    expect(patches).toEqual([]);
    await timers.advance(1);
    expect(patches).toMatchObject([{ status: { operationState: { phase: 'Running' } } }]);
    draft.note({ status: { operationState: state('Succeeded') }, isOperationOver: true });
    await draft.close();
    expect(patches[1]).toEqual({ metadata: { resourceVersion: '2' }, operation: null, status: { operationState: { phase: 'Succeeded' } } });
  });

  it('is decided anew where somebody else has written, also where the clock wrote it', async () => {
    const { draft, timers, touch } = open();
    touch();
    draft.note({ status: { operationState: state('Running') } });
    await timers.advance(1_000);
    await expect(draft.write({ isOperationOver: true })).rejects.toThrow(StaleApplication);
  });

  it('leaves nothing of one operation in the next', async () => {
    const { draft, read } = open();
    const operation = { sync: { prune: true }, initiatedBy: { automated: true } };
    await draft.write({ isOperationOver: true, operation });
    expect(read().operation).toEqual(operation);
  });

  it('is written without its long lists where all of it is more than the home takes', async () => {
    const { draft, patches, warnings, read } = open({ charactersMax: 4_000 });
    const resources = Array.from({ length: 200 }, (_, index) => ({ kind: 'ConfigMap', name: `object-${index}` }));
    const told: string[] = [];
    const status = { sync: { status: 'OutOfSync' }, resources };
    expect(await draft.write({ status }, (stored) => told.push(stored.status?.sync?.status ?? ''))).toBe(true);
    expect(read().status).toMatchObject({ sync: { status: 'OutOfSync' }, conditions: [{ type: 'UnknownError' }] });
    expect(read().status).not.toHaveProperty('resources');
    expect(told).toEqual(['OutOfSync']);
    expect(warnings).toHaveLength(1);
    await draft.write({ status });
    expect(patches).toHaveLength(1);
    // What fits again is whole again.
    await draft.write({ status: { sync: { status: 'Synced' }, resources: resources.slice(0, 3) } });
    expect(read().status).toEqual({ sync: { status: 'Synced' }, resources: resources.slice(0, 3) });
  });

  it('is refused where it has no list that could be left out', async () => {
    const first = open({ charactersMax: 10 });
    await expect(first.draft.write({ isOperationOver: true })).rejects.toThrow('too large');
    expect(first.warnings).toEqual([]);
    const second = open({ charactersMax: 10 });
    await expect(second.draft.write({ status: { sync: { status: 'Synced' } } })).rejects.toThrow('too large');
    expect(second.warnings).toHaveLength(1);
  });
});
