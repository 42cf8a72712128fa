import type { SeededRandom } from '../support/seeded-random.ts';

const TEXTS = ['""', '"a"', '"b c"', "'é😀'", '"x\\ny"', '@"\\d"', '"%s"', '"a,b"', '"10"'];
const NUMBERS = ['0', '1', '2', '3', '-1', '0.5', '1e3', '7', '2.75', '1e17'];
const NAMES = ['a', 'b', 'c', 'd'];
const OPERATORS = ['+', '+', '+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||', '&', '|', '^', '<<', '>>', 'in'];
const COLONS = [':', ':', ':', '::', ':::', '+:'];

/** What each function is called with: a text, number, list, object, function of one or two, or anything. */
const FUNCTIONS: readonly (readonly [string, string])[] = [
  ...['length', 'toString', 'type', 'isArray', 'isString', 'manifestJson', 'manifestYamlDoc', 'manifestJsonMinified', 'prune'].map(
    (name) => [name, 'v'] as const,
  ),
  ...['asciiUpper', 'stringChars', 'md5', 'base64', 'parseJson', 'escapeStringBash', 'trim', 'encodeUTF8'].map(
    (name) => [name, 't'] as const,
  ),
  ...['abs', 'floor', 'sqrt', 'isEven', 'char', 'exponent'].map((name) => [name, 'n'] as const),
  ...['reverse', 'sort', 'set', 'uniq', 'all', 'any', 'sum', 'flattenArrays', 'lines', 'deepJoin', 'flattenDeepArray', 'minArray'].map(
    (name) => [name, 'l'] as const,
  ),
  ...['objectFields', 'objectValues', 'objectFieldsAll', 'objectKeysValues', 'manifestPython', 'manifestToml'].map(
    (name) => [name, 'o'] as const,
  ),
  ['map', 'fl'],
  ['filter', 'fl'],
  ['flatMap', 'fl'],
  ['foldl', 'glv'],
  ['foldr', 'glv'],
  ['mapWithIndex', 'gl'],
  ['mapWithKey', 'go'],
  ['makeArray', 'nf'],
  ['range', 'nn'],
  ['join', 'tl'],
  ['split', 'tt'],
  ['strReplace', 'ttt'],
  ['substr', 'tnn'],
  ['startsWith', 'tt'],
  ['findSubstr', 'tt'],
  ['member', 'lv'],
  ['count', 'lv'],
  ['find', 'vl'],
  ['setUnion', 'll'],
  ['setDiff', 'll'],
  ['get', 'otv'],
  ['objectHas', 'ot'],
  ['objectRemoveKey', 'ot'],
  ['mergePatch', 'vv'],
  ['format', 'tl'],
  ['max', 'nn'],
  ['slice', 'lnnn'],
  ['repeat', 'tn'],
  ['equals', 'vv'],
];

/** A program of the given depth, made of parts that mostly fit together. */
export function randomProgram(random: SeededRandom, depth: number): string {
  const locals: string[] = [];
  let objects = 0;

  function value(left: number): string {
    const kind = left <= 0 ? random.below(3) : random.below(16);
    switch (kind) {
      case 0:
        return random.pick(NUMBERS);
      case 1:
        return random.pick(TEXTS);
      case 2:
        return random.chance(0.7) && locals.length > 0 ? random.pick(locals) : random.pick(['null', 'true', 'false', '[]', '{}']);
      case 3:
      case 4:
        return list(left);
      case 5:
      case 6:
        return object(left);
      case 7:
        return `(${value(left - 1)} ${random.pick(OPERATORS)} ${value(left - 1)})`;
      case 8:
        return `(if ${value(left - 1)} == ${value(left - 1)} then ${value(left - 1)} else ${value(left - 1)})`;
      case 9:
        return `(local ${bind('v', left)}; ${value(left - 1)})`;
      case 10:
        return `${list(left)}[${random.pick(['0', '1', '-1', '1:', ':2', '::2', '0:5'])}]`;
      case 11:
        return `${object(left)}.${random.pick(NAMES)}`;
      case 12:
        return `${func(1, left)}(${value(left - 1)})`;
      case 13:
        return objects > 0 ? random.pick(['self', '$', 'self', 'super']) + `.${random.pick(NAMES)}` : `-(${number()})`;
      default:
        return call(left);
    }
  }

  function number(): string {
    return random.pick(NUMBERS);
  }

  function bind(name: string, left: number): string {
    const fresh = `${name}${locals.length}`;
    const bound = `${fresh} = ${value(left - 1)}`;
    locals.push(fresh);
    return bound;
  }

  function list(left: number): string {
    if (!random.chance(0.3)) return `[${Array.from({ length: random.below(4) }, () => value(left - 1)).join(', ')}]`;
    const name = `e${locals.length}`;
    const source = list(left - 1);
    locals.push(name);
    const made = `[${value(left - 1)} for ${name} in ${source}${random.chance(0.4) ? ` if ${name} != ${value(left - 2)}` : ''}]`;
    locals.pop();
    return made;
  }

  function object(left: number): string {
    objects += 1;
    const members = random.sample(NAMES, random.below(4)).map((name) => `${name}${random.pick(COLONS)} ${value(left - 1)}`);
    if (random.chance(0.2)) members.push(`assert ${value(left - 2)} != ${value(left - 2)} : 'no'`);
    if (random.chance(0.2)) members.push(`['k' + ${random.pick(NUMBERS)}]: ${value(left - 1)}`);
    const text = `{ ${members.join(', ')} }`;
    const whole = left > 0 && random.chance(0.4) ? `(${text} + ${object(left - 1)})` : text;
    objects -= 1;
    return whole;
  }

  function func(parameters: 1 | 2, left: number): string {
    const names = parameters === 1 ? [`p${locals.length}`] : [`p${locals.length}`, `q${locals.length}`];
    locals.push(...names);
    const made = `(function(${names.join(', ')}) ${value(left - 1)})`;
    locals.length -= names.length;
    return made;
  }

  function call(left: number): string {
    const [name, parameters] = random.pick(FUNCTIONS);
    const given = parameters.split('').map((parameter) => {
      // What these make of values that do not fit is nothing that anybody means.
      if (random.chance(0.1) && !/^(?:set|format)/.test(name)) return value(left - 1);
      if (parameter === 'n') return number();
      if (parameter === 't') return random.pick(TEXTS);
      if (parameter === 'l') return list(left - 1);
      if (parameter === 'o') return object(left - 1);
      if (parameter === 'f' || parameter === 'g') return func(parameter === 'f' ? 1 : 2, left - 1);
      return value(left - 1);
    });
    return `std.${name}(${given.join(', ')})`;
  }

  return value(depth);
}
