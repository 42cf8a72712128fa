import type { SeededRandom } from '../support/seeded-random.ts';

const OPERANDS = [
  '.',
  '.name',
  '.nested',
  '.nested.b.c',
  '.list',
  '.number',
  '.yes',
  '.no',
  '.missing',
  '.missing.x',
  '.null',
  '$',
  '$.name',
  '1',
  '2.5',
  '"x"',
  '"a b"',
  '0',
  'true',
  '""',
  '$v',
];
const FUNCTIONS: readonly (readonly [string, number])[] = [
  ['upper', 1],
  ['len', 1],
  ['not', 1],
  ['print', 2],
  ['printf "%v|%5s"', 2],
  ['eq', 2],
  ['ne', 2],
  ['lt', 2],
  ['and', 2],
  ['or', 2],
  ['index', 2],
  ['default', 2],
  ['quote', 1],
  ['add', 2],
  ['list', 2],
  ['dict "k"', 1],
  ['toJson', 1],
  ['kindOf', 1],
  ['trunc 2', 1],
  ['join "-"', 1],
  ['first', 1],
  ['toString', 1],
  ['int', 1],
  ['hasKey', 2],
  ['ternary "a"', 2],
  ['append', 2],
  ['empty', 1],
  ['html', 1],
  ['toYaml', 1],
  ['sub', 2],
  ['has', 2],
];

/** A template made by chance from the grammar: most of it makes sense, some of it does not. */
export function randomTemplate(random: SeededRandom): string {
  return `{{ $v := "v" }}${nodes(random, 3)}`;
}

function nodes(random: SeededRandom, depth: number): string {
  return Array.from({ length: 1 + random.below(3) }, () => node(random, depth)).join('');
}

function node(random: SeededRandom, depth: number): string {
  const open = random.chance(0.15) ? '{{- ' : '{{ ';
  const close = random.chance(0.15) ? ' -}}' : ' }}';
  const kind = depth === 0 ? random.below(3) : random.below(8);
  if (kind === 0) return random.pick(['text', ' \n ', 'a b', '-']);
  if (kind <= 3) return `${open}${pipeline(random, depth)}${close}`;
  const inner = nodes(random, depth - 1);
  const otherwise = random.chance(0.4) ? `{{ else }}${nodes(random, depth - 1)}` : '';
  if (kind === 4) return `${open}if ${pipeline(random, depth)}${close}${inner}${otherwise}{{ end }}`;
  if (kind === 5) return `${open}with ${pipeline(random, depth)}${close}${inner}${otherwise}{{ end }}`;
  if (kind === 6) return `{{ $v ${random.pick([':=', '='])} ${pipeline(random, depth)}${close}${inner}`;
  const head = random.pick(['', '$i, $v := ', '$v := ']);
  const jump = random.chance(0.2) ? random.pick(['{{ break }}', '{{ continue }}']) : '';
  return `${open}range ${head}${random.chance(0.6) ? random.pick(['.list', '.nested', '.maps', '2', '.labels']) : pipeline(random, depth)}${close}${inner}${jump}${otherwise}{{ end }}`;
}

function pipeline(random: SeededRandom, depth: number): string {
  const first = command(random, depth);
  return random.chance(0.3) ? `${first} | ${random.pick(FUNCTIONS)[0]}` : first;
}

function command(random: SeededRandom, depth: number): string {
  if (random.chance(0.4)) return random.pick(OPERANDS);
  const [name, count] = random.pick(FUNCTIONS);
  const args = Array.from({ length: random.chance(0.05) ? count + 1 : count }, () =>
    depth > 0 && random.chance(0.3) ? `(${pipeline(random, depth - 1)})` : random.pick(OPERANDS),
  );
  return [name, ...args].join(' ');
}
