import { ApiError, Code, type Logger, type Timers } from '../../base/index.ts';
import { findUnknownGenerators, type ApplicationSet } from '../../model/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { FunctionLibrary } from '../../template/index.ts';
import type { DesiredApplication } from './desired-application.ts';
import { describeError } from './generators/describe-error.ts';
import { setsMax, tooMany, type GenerationScope, type GeneratorRunner } from './generators/generator-runner.ts';
import { createPace } from './generators/pace.ts';
import { createRoom } from './generators/room.ts';
import { mergeTemplates } from './templates/merge-templates.ts';
import { renderApplication } from './templates/render-application.ts';
import { createRenderText, withLengthLimit } from './templates/render-text.ts';

export interface GenerateOptions {
  readonly generators: GeneratorRunner;
  readonly functions: FunctionLibrary;
  readonly strictTokens: boolean;
  readonly fresh: boolean;
  readonly timers: Timers;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Which step went wrong, as conditions name it. */
export type GenerationFailure = 'ApplicationGenerationFromParamsError' | 'RenderTemplateParamsError';

/** The text of the first failure is for users; nothing may be concluded from the applications that could be made. */
export class GenerationError extends Error {
  readonly reason: GenerationFailure;
  /** Of every generator and template that failed. */
  readonly messages: readonly string[];

  constructor(reason: GenerationFailure, messages: readonly string[]) {
    super(messages[0] ?? 'internal error');
    this.reason = reason;
    this.messages = messages;
  }
}

function unknownGenerators(set: ApplicationSet): ApiError {
  const what = findUnknownGenerators(set) ?? `ApplicationSet ${set.metadata.name ?? ''} contains unrecognized generators`;
  return new ApiError(Code.InvalidArgument, what);
}

/** All applications of an application set, or a GenerationError: never some of them. */
export async function generateApplications(set: ApplicationSet, options: GenerateOptions): Promise<readonly DesiredApplication[]> {
  const { goTemplate = false, goTemplateOptions = [] } = set.spec;
  const { generators, functions, timers, log, ...asked } = options;
  const pacer = createPace(timers, options.signal);
  const language = { goTemplate, goTemplateOptions, functions };
  const scope: GenerationScope = {
    ...asked,
    applicationSet: set,
    goTemplate,
    renderText: withLengthLimit(createRenderText(language)),
    renderStrictly: goTemplate ? createRenderText({ ...language, goTemplateOptions: ['missingkey=error'] }) : undefined,
    pacer,
    room: createRoom(),
    answers: new Map(),
  };
  const applications: DesiredApplication[] = [];
  const failures: { readonly reason: GenerationFailure; readonly message: string }[] = [];
  const fail = (reason: GenerationFailure, error: unknown): void => {
    const message = describeError(error);
    if (message === undefined) log.error('an application set could not be generated', { set: set.metadata.name, error });
    failures.push({ reason, message: message ?? 'internal error' });
  };
  for (const entry of set.spec.generators) {
    // What somebody wrote and the API did not keep is not the same as nothing.
    if (generators.keysOf(entry).length === 0) fail('ApplicationGenerationFromParamsError', unknownGenerators(set));
    for (const key of generators.keysOf(entry)) {
      try {
        const sets = await generators.run(entry, key, scope);
        if (applications.length + sets.length > setsMax) throw tooMany();
        const override = (entry[key] as { readonly template?: JsonObject } | undefined)?.template;
        const template = mergeTemplates(set.spec.template as unknown as JsonObject, override);
        try {
          for (const parameters of sets) {
            applications.push(renderApplication(parameters, { applicationSet: set, template, renderText: scope.renderText }));
            await pacer.pace();
          }
        } catch (error) {
          fail('RenderTemplateParamsError', error);
        }
      } catch (error) {
        fail('ApplicationGenerationFromParamsError', error);
      }
    }
  }
  const [first] = failures;
  if (first !== undefined)
    throw new GenerationError(
      first.reason,
      failures.map(({ message }) => message),
    );
  return applications;
}
