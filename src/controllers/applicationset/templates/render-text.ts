import { LruMap } from '../../../base/index.ts';
import {
  compileGoTemplate,
  renderFastTemplate,
  TemplateError,
  type FunctionLibrary,
  type GoAny,
  type GoMap,
  type GoTemplate,
} from '../../../template/index.ts';

/** Replaces the placeholders of a text. Throws TemplateError with a text for whoever wrote it. */
export type RenderText = (text: string, parameters: GoMap) => string;

export interface RenderTextOptions {
  readonly goTemplate: boolean;
  readonly goTemplateOptions: readonly string[];
  readonly functions: FunctionLibrary;
}

const compiledMax = 500;

/** The language of an application set. Each text is read once, and rendered as often as there are parameters. */
export function createRenderText({ goTemplate, goTemplateOptions: options, functions }: RenderTextOptions): RenderText {
  if (!goTemplate) return renderFast;
  const compiled = new LruMap<string, GoTemplate>(compiledMax);
  return (text, parameters) => {
    let template = compiled.get(text);
    if (template === undefined) {
      template = named(`failed to parse template ${text}`, () => compileGoTemplate(text, { functions, options }));
      compiled.set(text, template);
    }
    const known = template;
    // Nothing in it can be replaced; that its options are known has been seen.
    if (!text.includes('{{')) return text;
    return named(`failed to execute go template ${text}`, () => known.render(parameters));
  };
}

/** Of all texts of one run: far more than as many applications as a set may have can mean. */
const lengthMax = 256 << 20;

/** Renders until the texts are too long together: all applications of a set are held at once, however large each is. */
export function withLengthLimit(render: RenderText): RenderText {
  let length = 0;
  return (text, parameters) => {
    const made = render(text, parameters);
    // What stays as it is takes no room of its own.
    if (made !== text) length += made.length;
    if (length > lengthMax) throw new TemplateError(`the templates of the ApplicationSet make more than ${lengthMax} characters`);
    return made;
  };
}

/** The flat form of a set is made once: a template has many texts. */
const flatForms = new WeakMap<GoMap, Readonly<Record<string, GoAny>>>();

function renderFast(text: string, parameters: GoMap): string {
  let flat = flatForms.get(parameters);
  if (flat === undefined) {
    flat = Object.fromEntries(parameters.entries);
    flatForms.set(parameters, flat);
  }
  return renderFastTemplate(text, flat);
}

function named<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) throw new TemplateError(`${what}: ${error.message}`);
    throw error;
  }
}
