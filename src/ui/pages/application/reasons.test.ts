import { describe, expect, it } from 'vitest';
import type { Application } from '../../../contract/gen/types.ts';
import { explainHealth, explainOperation, explainSync, shortRevision } from './reasons.ts';

function application(status: object, more: object = {}): Application {
  return {
    metadata: { name: 'shop' },
    spec: { project: 'default', destination: {}, source: { repoURL: 'r', targetRevision: 'main' } },
    status,
    ...more,
  } as unknown as Application;
}

const revision = 'a'.repeat(40);

describe('the reason of a state', () => {
  it('names what differs, and what is no longer declared', () => {
    const resources = [
      { kind: 'Deployment', name: 'web', status: 'OutOfSync' },
      { kind: 'Service', name: 'old', status: 'OutOfSync', requiresPruning: true },
      { kind: 'Job', name: 'hook', status: 'OutOfSync', hook: true },
      { kind: 'Secret', name: 'fine', status: 'Synced' },
    ];
    expect(explainSync(application({ sync: { status: 'OutOfSync' }, resources })).text).toBe(
      '1 of 4 differs: Deployment web; 1 no longer declared: Service old',
    );
  });

  it('names the revision where all is as declared', () => {
    expect(explainSync(application({ sync: { status: 'Synced', revision } })).text).toBe('At aaaaaaa (main)');
    expect(shortRevision('1.2.3')).toBe('1.2.3');
  });

  it('is the error where it could not be compared', () => {
    const conditions = [{ type: 'ComparisonError', message: 'no such path' }];
    expect(explainSync(application({ sync: { status: 'Unknown' }, conditions })).text).toBe('no such path');
  });

  it('is the resource that is not well', () => {
    const resources = [
      { kind: 'Deployment', name: 'web', health: { status: 'Degraded', message: 'exceeded its progress deadline' } },
      { kind: 'Pod', name: 'x', health: { status: 'Degraded' } },
    ];
    expect(explainHealth(application({ health: { status: 'Degraded' }, resources })).text).toBe(
      'Deployment web: exceeded its progress deadline (and 1 more)',
    );
  });

  it('of an operation says since when, and that one is about to begin', () => {
    const state = { phase: 'Failed', message: 'no rights', startedAt: 's', finishedAt: 'f', operation: {} };
    expect(explainOperation(application({ operationState: state }))).toMatchObject({
      phase: 'Failed',
      isRunning: false,
      text: 'no rights',
      since: 'f',
    });
    expect(explainOperation(application({}, { operation: { sync: {} } }))).toMatchObject({ isRunning: true });
    expect(explainOperation(application({}))).toBeUndefined();
  });
});
