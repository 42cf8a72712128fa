import { describe, expect, it } from 'vitest';
import type { Application } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { finalize } from './finalize.ts';

const application = {
  metadata: {
    namespace: 'team-a',
    name: 'web',
    resourceVersion: '1',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
  },
  spec: { project: 'infra', destination: { server: 'https://kubernetes.default.svc', namespace: 'kube-system' } },
} as unknown as Application;

function open(clusters: object, project: object) {
  const written: KubeObject[] = [];
  const context = {
    namespace: 'argocd',
    projects: { get: () => project },
    clusters,
    settings: { current: { general: { globalProjects: [] } } },
    clock: { nowMs: () => 0 },
    events: { record: () => Promise.resolve() },
    applications: { noticeWrite: () => undefined },
    home: {
      patch: (_type: unknown, _ref: unknown, { body }: { readonly body: KubeObject }) => {
        written.push(body);
        return Promise.resolve(application);
      },
    },
  };
  const end = () => finalize(context as unknown as Parameters<typeof finalize>[0], application, new AbortController().signal);
  return { written, end };
}

it('An application that goes deletes nothing with a project that is not for its namespace (PROJ-01)', async () => {
  const project = { metadata: { namespace: 'argocd', name: 'infra' }, spec: { sourceNamespaces: ['team-b'] } };
  // Whoever looks at what lives there fails otherwise.
  const { written, end } = open({ resolve: () => ({ server: 'https://kubernetes.default.svc' }) }, project);
  const message = "application 'web' in namespace 'team-a' is not permitted to use project 'infra'";
  await expect(end()).rejects.toThrow(message);
  expect(written).toMatchObject([{ status: { conditions: [{ type: 'DeletionError', message }] } }]);
});

describe('An application that goes, whose cluster cannot be found', () => {
  const resolve = (): never => {
    throw new Error('there are 2 clusters with the same name: [one two]');
  };

  it('is let go where nobody knows the cluster', async () => {
    const { written, end } = open({ resolve, isRegistered: () => false }, {});
    expect(await end()).toBe('done');
    expect(written).toMatchObject([{ metadata: { finalizers: [] } }]);
  });

  it('is held where the cluster is registered and cannot be used for now, as what is in it would stay there', async () => {
    const { written, end } = open({ resolve, isRegistered: () => true }, {});
    const message = 'the destination is registered and cannot be used: there are 2 clusters with the same name: [one two]';
    await expect(end()).rejects.toThrow(message);
    expect(written).toMatchObject([{ status: { conditions: [{ type: 'DeletionError', message }] } }]);
    expect(written[0]?.metadata.finalizers).toBeUndefined();
  });
});
