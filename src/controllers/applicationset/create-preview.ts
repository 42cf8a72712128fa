import { ApiError, Code } from '../../base/index.ts';
import { withLimit } from '../../kube/index.ts';
import type { Application, ApplicationSet } from '../../model/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { generateApplications, GenerationError } from './generate-applications.ts';

/** Shows what an application set would make, and makes nothing. */
export interface ApplicationSetPreview {
  /** Throws ApiError with the failures of all generators and templates. */
  generate(set: ApplicationSet, options: { readonly signal: AbortSignal }): Promise<Application[]>;
}

/** Longer than anybody looks at a terminal. */
const previewLimitMs = 120_000;

export function createPreview(context: Pick<ApplicationSetContext, 'generators' | 'functions' | 'timers' | 'log'>): ApplicationSetPreview {
  return {
    async generate(set, { signal }) {
      try {
        // Whoever may only look must not be able to send the tokens of others anywhere.
        const options = { ...context, strictTokens: true, fresh: false };
        const generated = await withLimit({ timers: context.timers, limitMs: previewLimitMs, signal }, (limited) =>
          generateApplications(set, { ...options, signal: limited }),
        );
        return generated.map(({ name, labels, annotations, finalizers, spec }) => ({
          metadata: {
            name,
            namespace: set.metadata.namespace ?? '',
            ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
            ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
            ...(finalizers.length > 0 && { finalizers: [...finalizers] }),
          },
          spec,
        }));
      } catch (error) {
        if (!(error instanceof GenerationError)) throw error;
        throw new ApiError(Code.Unknown, `error generating applications: ${error.message}\n${error.messages.join('\n')}`);
      }
    },
  };
}
