import { expect, it } from 'vitest';
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

it('An application that goes deletes nothing with a project that is not for its namespace (PROJ-01)', async () => {
  const written: KubeObject[] = [];
  const project = { metadata: { namespace: 'argocd', name: 'infra' }, spec: { sourceNamespaces: ['team-b'] } };
  const context = {
    namespace: 'argocd',
    projects: { get: () => project },
    // Whoever looks at what lives there fails otherwise.
    clusters: { resolve: () => ({ server: 'https://kubernetes.default.svc' }) },
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
  const message = "application 'web' in namespace 'team-a' is not permitted to use project 'infra'";
  const finalized = finalize(context as unknown as Parameters<typeof finalize>[0], application, new AbortController().signal);
  await expect(finalized).rejects.toThrow(message);
  expect(written).toMatchObject([{ status: { conditions: [{ type: 'DeletionError', message }] } }]);
});
