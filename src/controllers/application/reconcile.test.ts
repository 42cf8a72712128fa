import { beforeEach, describe, expect, it } from 'vitest';
import { statusError, type KubeObject } from '../../objects/index.ts';
import { createMemory, type ApplicationMemory } from './application-memory.ts';
import { reconcile } from './reconcile.ts';

const ref = { namespace: 'argocd', name: 'web' };
const at = (resourceVersion: string): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    ...ref,
    resourceVersion,
    deletionTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
  },
  spec: { project: 'default', destination: {} },
});

/** An application on its way out, in a home whose watch may be behind what is stored. */
class Home {
  stored: KubeObject | undefined = at('1');
  seen: KubeObject | undefined = at('1');
  /** Whether the watch is there to tell of a write as soon as it is refused. */
  isWatched = false;
  doubts = 0;
  gets = 0;
  readonly memory: ApplicationMemory = createMemory();

  run(): ReturnType<typeof reconcile> {
    const home = {
      patch: (_type: unknown, _ref: unknown, { body }: { readonly body: KubeObject }) => {
        if (this.stored === undefined) return Promise.reject(statusError('NotFound', 'gone'));
        if (body.metadata.resourceVersion === this.stored.metadata.resourceVersion) return Promise.resolve(this.stored);
        if (this.isWatched) this.seen = this.stored;
        return Promise.reject(statusError('Conflict', 'the object has been modified'));
      },
      get: () => {
        this.gets += 1;
        return this.stored === undefined ? Promise.reject(statusError('NotFound', 'gone')) : Promise.resolve(this.stored);
      },
    };
    const applications = {
      get: () => this.seen,
      noticeWrite: (object: KubeObject) => (this.seen = object),
      doubt: () => (this.doubts += 1),
    };
    const clusters = {
      resolve: () => {
        throw new Error('there is no such cluster');
      },
      isRegistered: () => false,
    };
    const context = {
      home,
      applications,
      clusters,
      namespace: 'argocd',
      projects: { synced: true },
      isNamespaceEnabled: () => true,
      random: () => 0,
    };
    return reconcile(context as unknown as Parameters<typeof reconcile>[0], ref, this.memory, new AbortController().signal);
  }
}

describe('An application that somebody else has written to', () => {
  let home: Home;
  beforeEach(() => {
    home = new Home();
  });

  it('is read where the watch has not told of it, and decided about anew', async () => {
    home.stored = at('2');
    expect(await home.run()).toEqual({ requeueAfterMs: 100 });
    expect(home).toMatchObject({ gets: 1, doubts: 1, seen: { metadata: { resourceVersion: '2' } } });
    expect(await home.run()).toBe('done');
    expect(home).toMatchObject({ gets: 1, memory: { conflicts: 0 } });
  });

  it('is not asked for where the watch was quick enough', async () => {
    home.isWatched = true;
    home.stored = at('2');
    expect(await home.run()).toEqual({ requeueAfterMs: 100 });
    expect(home).toMatchObject({ gets: 0, doubts: 0 });
    expect(await home.run()).toBe('done');
  });

  it('is looked at the later, the more often in a row somebody was quicker', async () => {
    const delays = [];
    for (let version = 2; version < 12; version += 1) {
      home.stored = at(String(version));
      delays.push(await home.run());
    }
    expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000].map((requeueAfterMs) => ({ requeueAfterMs })));
  });
});
