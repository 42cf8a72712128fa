import { describe, expect, it } from 'vitest';
import type { Application } from '../../model/index.ts';
import type { ApplicationDraft } from './application-draft.ts';
import { createMemory } from './application-memory.ts';
import type { ControllerContext } from './controller-context.ts';
import { operate } from './operate.ts';

describe('An operation that failed and is tried again', () => {
  /** It names nothing to do, so that its next attempt ends at once. */
  const operateAt = (now: string) => {
    const operation = { retry: { limit: 0 } };
    const operationState = {
      operation,
      phase: 'Running',
      startedAt: '2026-01-01T12:00:00Z',
      finishedAt: '2026-01-01T12:00:00Z',
      retryCount: 1,
    };
    const application = { metadata: {}, operation, status: { operationState } } as Application;
    const draft = { application, note: () => undefined, write: () => Promise.resolve(true) };
    const context = { clock: { nowMs: () => Date.parse(now) }, settings: { current: { parameters: { syncTimeoutSeconds: 0 } } } };
    return operate(
      context as unknown as ControllerContext,
      draft as unknown as ApplicationDraft,
      createMemory(),
      new AbortController().signal,
    );
  };

  it('waits for its time', async () => {
    expect(await operateAt('2026-01-01T12:00:04Z')).toEqual({ kind: 'waiting', afterMs: 6_000 });
    expect(await operateAt('2026-01-01T12:00:10Z')).toMatchObject({ kind: 'finished' });
  });

  it('does not wait for a clock that was set back', async () => {
    expect(await operateAt('2026-01-01T11:00:00Z')).toMatchObject({ kind: 'finished' });
  });
});
