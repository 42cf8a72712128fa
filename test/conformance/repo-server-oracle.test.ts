/** What we render is what Argo CD's own repo server renders of the same sources. */
import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { directoryCases } from '../support/fidelity/directory-cases.ts';
import type { FidelityCase } from '../support/fidelity/fidelity-case.ts';
import { helmCases } from '../support/fidelity/helm-cases.ts';
import { kustomizeCases } from '../support/fidelity/kustomize-cases.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { startRedisStub, type RedisStub } from '../support/redis-stub.ts';
import { startRepoServer, type RepoServer } from '../support/repo-server.ts';
import { openTestSources, type TestSources } from '../support/sources.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

const cases: readonly FidelityCase[] = [...helmCases, ...kustomizeCases, ...directoryCases];
const TRACKING = 'argocd.argoproj.io/tracking-id';

interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly annotations?: Record<string, string> };
}

describeWithTool('repo-server', "manifests beside those of Argo CD's repo server", (program) => {
  let repository: GitRepository;
  let git: GitHttpServer;
  let redis: RedisStub;
  let oracle: RepoServer;
  let test: TestSources;
  let url: string;

  beforeAll(async () => {
    const tools = { helm: await ensureTool('helm'), kustomize: await ensureTool('kustomize') };
    const files = cases.flatMap(({ name, files: own }) =>
      Object.entries(own).map(([path, content]) => [path.startsWith('/') ? path.slice(1) : `${name}/${path}`, content] as const),
    );
    repository = await createGitRepository(Object.fromEntries(files));
    git = await startGitHttpServer({ root: dirname(repository.folder) });
    url = `${git.url}/${basename(repository.folder)}/.git`;
    redis = await startRedisStub();
    oracle = await startRepoServer(program(), { ...tools, redisPort: redis.port });
    test = await openTestSources({ tools: { searchPath: process.env['PATH'] ?? '', ...tools } });
  }, 1_500_000);
  afterAll(async () => {
    await test.close();
    await oracle.close();
    await redis.close();
    await git.close();
    await repository.remove();
  });

  it.each(cases.map((each) => [each.name, each] as const))('%s', { timeout: 120_000 }, async (name, { source, request = {} }) => {
    const { kubeVersion, apiVersions } = request;
    const ours = await test.render({ repoURL: url, path: name, targetRevision: 'main', ...source }, request);
    const theirs = await oracle.generate({
      url,
      source: { path: name, ...source },
      application: 'web',
      namespace: 'prod',
      ...(kubeVersion !== undefined && { kubeVersion }),
      ...(apiVersions !== undefined && { apiVersions }),
    });
    const plain = theirs.map((text) => withoutTracking(JSON.parse(text) as Manifest));
    expect(inOrder(ours.objects as readonly Manifest[])).toEqual(inOrder(plain));
  });
});

/** It puts the name of the application on every object itself; we do that later. */
function withoutTracking(object: Manifest): Manifest {
  const { annotations, ...metadata } = object.metadata ?? {};
  const { [TRACKING]: _tracking, ...rest } = annotations ?? {};
  return { ...object, metadata: { ...metadata, ...(Object.keys(rest).length > 0 && { annotations: rest }) } };
}

function inOrder(objects: readonly Manifest[]): Manifest[] {
  const key = ({ apiVersion, kind, metadata }: Manifest): string => [apiVersion, kind, metadata?.namespace, metadata?.name].join('/');
  return objects.toSorted((one, other) => key(one).localeCompare(key(other)));
}
