import type { FunctionLibrary } from './go-template/compile-go-template.ts';
import type { Budget } from './budget.ts';
import { byteLength } from './go/bytes.ts';
import { define, GoError } from './go/go-function.ts';
import { GoInt, GoList, GoMap, typeOf } from './go/value.ts';
import type { GoAny } from './go/value.ts';
import { weigh } from './go/weigh.ts';
import type { NamedFunctions, TemplateEnvironment } from './sprig/environment.ts';
import { sprigFunctions } from './sprig/sprig-functions.ts';
import { parseYaml } from './yaml/parse-yaml.ts';
import { formatYaml } from './yaml/format-yaml.ts';
import { TemplateError } from './template-error.ts';

const NAME_BYTES_MAX = 253;
const SLUG_BYTES_MAX = 50;

/** The functions of templates in ApplicationSets: sprig's and a few for names and YAML. */
export function applicationSetFunctions(environment: TemplateEnvironment = {}): FunctionLibrary {
  return (budget) => new Map([...sprigFunctions({ budget, environment }), ...ownFunctions(budget)]);
}

/** The functions of templates in notifications: sprig's alone. */
export function notificationFunctions(environment: TemplateEnvironment = {}): FunctionLibrary {
  return (budget) => new Map(sprigFunctions({ budget, environment }));
}

function ownFunctions(budget: Budget): NamedFunctions {
  const read = <Kind extends GoMap | GoList>(text: string, kind: new (...args: never[]) => Kind, nothing: Kind): Kind => {
    const value = readYaml(text, kind, nothing);
    // A few aliases make much of a short text.
    weigh(value, budget.step);
    return value;
  };
  return [
    ['normalize', define('string', normalizeName)],
    ['slugify', define('...any', slugify)],
    [
      'toYaml',
      define('any', (value: GoAny) => {
        const text = formatYaml(value).replace(/\n$/, '');
        budget.make(text.length);
        return text;
      }),
    ],
    ['fromYaml', define('string', (text: string) => read(text, GoMap, new GoMap(new Map())))],
    ['fromYamlArray', define('string', (text: string) => read(text, GoList, new GoList([])))],
  ];
}

/** What may name an object in Kubernetes. */
export function normalizeName(text: string): string {
  const replaced = text.toLowerCase().replaceAll(/[^-a-z0-9.]/gu, '-');
  return replaced.slice(0, NAME_BYTES_MAX).replaceAll(/^[-.]+|[-.]+$/g, '');
}

/** `slugify [longest] [whole words] text`. */
function slugify(...args: GoAny[]): string {
  const text = args.at(-1);
  const [longest, smart] = args.slice(0, -1);
  if (typeof text !== 'string') throw new GoError('slugify: the last argument must be a text');
  if (longest !== undefined && !(longest instanceof GoInt)) throw new GoError('slugify: the length must be an integer');
  if (smart !== undefined && typeof smart !== 'boolean') throw new GoError('slugify: the second argument must be true or false');
  const slug = normalizeName(text)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return shorten(slug, longest === undefined ? SLUG_BYTES_MAX : Number(longest.value), smart ?? true);
}

function shorten(slug: string, longest: number, wholeWords: boolean): string {
  if (longest <= 0 || byteLength(slug) <= longest) return slug;
  const cut = slug.slice(0, longest);
  if (!wholeWords) return cut;
  if (slug[longest] === '-') return cut;
  return cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut;
}

function readYaml<Kind extends GoMap | GoList>(text: string, kind: new (...args: never[]) => Kind, nothing: Kind): Kind {
  try {
    const value = parseYaml(text);
    if (value === null) return nothing;
    if (value instanceof kind) return value;
    throw new GoError(`cannot read ${typeOf(value)} as ${typeOf(nothing)}`);
  } catch (error) {
    if (error instanceof TemplateError) throw new GoError(error.message);
    throw error;
  }
}
