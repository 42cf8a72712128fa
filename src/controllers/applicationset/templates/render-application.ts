import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationSet } from '../../../model/index.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../objects/index.ts';
import { TemplateError } from '../../../template/index.ts';
import { typedSpec, type DesiredApplication } from '../desired-application.ts';
import type { ParameterSet } from '../generators/generator.ts';
import { renderValue } from '../generators/interpolate.ts';
import type { RenderText } from './render-text.ts';
import { applyTemplatePatch } from './template-patch.ts';

export const resourcesFinalizer = 'resources-finalizer.argocd.argoproj.io';

export interface RenderApplicationOptions {
  readonly applicationSet: ApplicationSet;
  /** Of the application set, with that of a generator over it. */
  readonly template: JsonObject;
  readonly renderText: RenderText;
}

/** The application that a set of parameters makes of a template. Throws ApiError or TemplateError. */
export function renderApplication(parameters: ParameterSet, options: RenderApplicationOptions): DesiredApplication {
  const { applicationSet, template, renderText } = options;
  const { syncPolicy, templatePatch = '' } = applicationSet.spec;
  // Without a single parameter nothing is replaced, not even by the defaults.
  const isPlain = parameters.entries.size === 0;
  const rendered = isPlain ? template : (renderValue(template, (text) => renderText(text, parameters)) as JsonObject);
  const metadata = objectOf(rendered['metadata']);
  const given = isJsonArray(metadata['finalizers']) ? metadata['finalizers'] : [];
  const isCascading = !isPlain && given.length === 0 && syncPolicy?.preserveResourcesOnDeletion !== true;
  const finalizers = isCascading ? [resourcesFinalizer] : given;
  const made: JsonObject = { metadata: { ...metadata, finalizers }, spec: objectOf(rendered['spec']) };
  return toDesired(templatePatch === '' ? made : patch(made, templatePatch, parameters, renderText));
}

function patch(application: JsonObject, templatePatch: string, parameters: ParameterSet, renderText: RenderText): JsonObject {
  let text: string;
  try {
    text = renderText(templatePatch, parameters);
  } catch (error) {
    if (error instanceof TemplateError)
      throw new ApiError(Code.InvalidArgument, `error replacing values in templatePatch: ${error.message}`);
    throw error;
  }
  return applyTemplatePatch(application, text);
}

function toDesired({ metadata, spec }: JsonObject): DesiredApplication {
  const { name, labels, annotations, finalizers } = objectOf(metadata);
  return {
    name: typeof name === 'string' ? name : '',
    labels: textsOf(labels),
    annotations: textsOf(annotations),
    finalizers: isJsonArray(finalizers) ? finalizers.filter((item) => typeof item === 'string') : [],
    spec: typedSpec({ destination: {}, project: '', ...objectOf(spec) }),
  };
}

function textsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
