import { ApiError, Code } from '../../base/index.ts';
import { withLimit } from '../../kube/index.ts';
import type { Application, ApplicationSet } from '../../model/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import type { DesiredApplication } from './desired-application.ts';
import { generateApplications, GenerationError } from './generate-applications.ts';
import { planChanges, type PlannedChange } from './plan-changes.ts';

/** Shows what an application set would make, and makes nothing. */
export interface ApplicationSetPreview {
  /** Throws ApiError with the failures of all generators and templates. */
  generate(set: ApplicationSet, options: { readonly signal: AbortSignal }): Promise<Application[]>;
  /** What would become of the applications if the set were stored like this. Throws ApiError as well. */
  plan(set: ApplicationSet, options: { readonly signal: AbortSignal }): Promise<readonly PlannedChange[]>;
}

/** Longer than anybody looks at a terminal. */
const previewLimitMs = 120_000;

export function createPreview(context: ApplicationSetContext): ApplicationSetPreview {
  const generate = async (set: ApplicationSet, signal: AbortSignal): Promise<readonly DesiredApplication[]> => {
    try {
      // Whoever may only look must not be able to send the tokens of others anywhere.
      const options = { ...context, strictTokens: true, fresh: false };
      return await withLimit({ timers: context.timers, limitMs: previewLimitMs, signal }, (limited) =>
        generateApplications(set, { ...options, signal: limited }),
      );
    } catch (error) {
      if (!(error instanceof GenerationError)) throw error;
      throw new ApiError(Code.Unknown, `error generating applications: ${error.message}\n${error.messages.join('\n')}`);
    }
  };
  return {
    async generate(set, { signal }) {
      return (await generate(set, signal)).map(({ name, labels, annotations, finalizers, spec }) => ({
        metadata: {
          name,
          namespace: set.metadata.namespace ?? '',
          ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
          ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
          ...(finalizers.length > 0 && { finalizers: [...finalizers] }),
        },
        spec,
      }));
    },

    async plan(set, { signal }) {
      const generated = await generate(set, signal);
      if (!context.applications.synced || !context.projects.synced)
        throw new ApiError(Code.Unavailable, 'the applications have not been read yet, please try again');
      const { namespace = '', name = '' } = set.metadata;
      const uid = context.applicationSets.get({ namespace, name })?.metadata.uid ?? '';
      return planChanges(context, { ...set, metadata: { ...set.metadata, uid } }, { generated, signal });
    },
  };
}
