import type { Clock } from '../base/index.ts';
import { createFailureCache } from './failure-cache.ts';
import type { SourceLimits } from './limits.ts';
import type { RepositoryAccess } from './repository-access.ts';
import { listDigest, resultKey } from './results/result-cache.ts';
import type { Rendered, RenderRequest } from './sources.ts';

/** Renders, unless the very same has failed again and again and nobody asks for another try. */
export type RenderAgain = (request: RenderRequest, access: RepositoryAccess, render: () => Promise<Rendered>) => Promise<Rendered>;

export function createRenderFailures(limits: SourceLimits, clock: Clock): RenderAgain {
  const failures = createFailureCache({
    clock,
    freeFailures: limits.failuresFree,
    pauseMs: limits.failurePauseMs,
    pauseMsMax: limits.failurePauseMsMax,
    forgetMs: limits.failureForgetMs,
    answersMax: limits.failureAnswersMax,
    prefix: 'Manifest generation error (cached): ',
  });
  return (request, access, render) =>
    failures.run(() => keyOf(request, access), render, { force: request.fresh === true || request.hard === true });
}

/** Whatever of this changes, it is something else that is rendered. */
function keyOf(request: RenderRequest, { owner }: RepositoryAccess): string {
  const { source, revision, application, destinationNamespace, kubeVersion = '', apiVersions = [], references, settings = {} } = request;
  const { kustomizePaths = new Map<string, string>(), ...rest } = settings;
  const parts = {
    source,
    revision,
    application,
    destinationNamespace,
    owner,
    cluster: [kubeVersion, listDigest(apiVersions)],
    references: [...(references ?? [])].map(
      ([
        name,
        {
          source: { repoURL },
          revision: at,
        },
      ]) => [name, repoURL, at],
    ),
    settings: { ...rest, kustomizePaths: [...kustomizePaths] },
    paths: request.manifestGeneratePaths ?? '',
  };
  // Through JSON, so that what is undefined is not there.
  return resultKey(JSON.parse(JSON.stringify(parts)) as Parameters<typeof resultKey>[0]);
}
