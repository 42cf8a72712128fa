import type { SeededRandom } from '../support/seeded-random.ts';

const NUMBERS = ['0', '1', '2', '-1', '3.5', '10', '1e3', '0.1', '100', '7', '-0.5', '1/0', '0/0', '2^53', '1e15', '123456789012'];
const PLAIN_NUMBERS = ['0', '1', '2', '-1', '3.5', '10', '1e3', '0.1', '7', '-0.5', '255'];
const TEXTS = `''|'a'|'abc'|'hello world'|'10'|'0x1F'|' 7 '|'é'|'a.b.c'|'%d'|'foo=bar, x=1'|'  trim '|'AbC12'|'[x]'|'a\\nb'|'(()())'`.split(
  '|',
);
const PATTERNS =
  `'%a+'|'%d*'|'.'|'.-'|'^%s*(.-)%s*$'|'(%w+)=(%w+)'|'[a-c]+'|'[^%s]+'|'%b()'|'a?b'|'()l()'|'%.'|'o$'|'(.)%1'|'[%w_]*'|'%S+'|'x*'|'[]]'|'l-o'|'%u%l'`.split(
    '|',
  );
const NAMES = ['a', 'b', 't', 't.x', 't[1]', '#t', 's', 'obj.spec.replicas', 'obj.metadata.name'];
const OPERATORS = '+ - * / % .. == ~= < <= > >= and or'.split(' ');
const METHODS = [
  'upper()',
  'lower()',
  'len()',
  'reverse()',
  'rep(2)',
  'sub(2)',
  'sub(-2)',
  'sub(0)',
  'sub(2, 3)',
  'sub(-3, -2)',
  'byte(1)',
  'byte(-1)',
  'byte(9)',
];
const REPLACEMENTS = ["'<%0>'", "'x'", "{a = 'Z', hello = 'H'}", 'string.upper', 'function(c) return c .. c end'];
const NUMBER_FORMATS = ["'%d'", "'%5d'", "'%05.1f'", "'%x'", "'%g'", "'%.3f'", "'%e'", "'%i'", "'%+d'"];

/** Makes scripts that mostly run: what they do matters less than that both sides agree on it. */
export function makeScript(random: SeededRandom): string {
  const maker = new ScriptMaker(random);
  const statements = Array.from({ length: 1 + random.below(4) }, () => maker.statement(2));
  const results = Array.from({ length: 1 + random.below(3) }, () => maker.expression(2));
  return [`a, b, t, s = 1, 'x', {3, 1, 2}, ''`, ...statements, `return ${results.join(', ')}, s, #t, tostring(a)`].join('\n');
}

class ScriptMaker {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  expression(depth: number): string {
    if (depth <= 0) return this.#pick([...NUMBERS, ...TEXTS, ...NAMES, 'nil', 'true', 'false']);
    const [one, other] = [this.expression(depth - 1), this.expression(depth - 1)];
    const [small, text, pattern, number] = [this.expression(0), this.#pick(TEXTS), this.#pick(PATTERNS), this.#pick(NUMBERS)];
    return this.#pick([
      `(${one} ${this.#pick(OPERATORS)} ${other})`,
      `(${number} ${this.#pick(['+', '-', '*', '/', '%'])} ${this.#pick(NUMBERS)})`,
      `not ${one}`,
      `- ${number}`,
      `#${text}`,
      `tostring(${one})`,
      `tonumber(${one})`,
      `type(${one})`,
      `(${text}):${this.#pick(METHODS)}`,
      `(string.find(${text}, ${pattern}${this.#pick(['', ', 2', ', -3', ', 1, true'])}))`,
      `select(2, string.find(${text}, ${pattern}))`,
      `string.match(${text}, ${pattern}${this.#pick(['', ', 2'])})`,
      `(string.gsub(${text}, ${pattern}, ${this.#pick(REPLACEMENTS)}${this.#pick(['', ', 1', ', 2'])}))`,
      `select(2, string.gsub(${text}, ${pattern}, ''))`,
      `string.format(${this.#pick(["'%5s|'", "'%-5s|'", "'%.2s'", "'%s'", "'%q'"])}, ${text})`,
      `string.format(${this.#pick(NUMBER_FORMATS)}, ${this.#pick(PLAIN_NUMBERS)})`,
      `table.concat({${small}, ${number}, ${text}}, ${this.#pick(TEXTS)})`,
      `math.${this.#pick(['floor', 'ceil', 'abs'])}(${number})`,
      `math.${this.#pick(['max', 'min', 'fmod'])}(${number}, ${this.#pick(NUMBERS)})`,
      `(function(...) return select('#', ...), ... end)(${one}, ${small})`,
      `(pcall(function() return ${one} end))`,
      `select(2, pcall(function() return ${one} end))`,
      `({${small}, x = ${this.expression(0)}, [2] = ${this.expression(0)}})[${this.#pick(['1', '2', "'x'", '3'])}]`,
      `#{${small}, ${this.expression(0)}, ${this.expression(0)}}`,
      `os.date('!%Y-%m-%d %H:%M:%S', ${this.#pick(['0', '1700000000', '86399'])})`,
    ]);
  }

  statement(depth: number): string {
    const [inner, one, value] = [depth > 0 ? this.statement(depth - 1) : 'a = 2', this.expression(2), this.expression(1)];
    const [text, pattern] = [this.#pick(TEXTS), this.#pick(PATTERNS)];
    return this.#pick([
      `a = ${one}`,
      `local b = ${one}`,
      // A nil there would be an item to gopher-lua, and none to Lua.
      `t[#t + 1] = ${this.#pick(PLAIN_NUMBERS)}`,
      `t.x = ${value}`,
      `table.insert(t, 1, ${this.#pick(NUMBERS)})`,
      `table.remove(t${this.#pick(['', ', 1', ', 2'])})`,
      `if ${one} then ${inner} else a = 2 end`,
      `for i = ${this.#pick(['1', '3', '0', '5'])}, ${this.#pick(['3', '1', '4'])}${this.#pick(['', ', 1', ', -1', ', 2'])} do ${inner} end`,
      `for i = 1, 3 do s = s .. i if i == 2 then break end end`,
      `for i = 1, 4 do if i % 2 == 0 then goto continue end ${inner} ::continue:: end`,
      `for i, v in ipairs(t) do s = s .. tostring(i) .. type(v) end`,
      `for k, v in pairs({p = 1, ${this.#pick(NUMBERS)}, q = ${this.expression(0)}}) do s = s .. tostring(k) .. '=' .. tostring(v) end`,
      `for w in (${text}):gmatch(${pattern}) do s = s .. '<' .. tostring(w) .. '>' end`,
      `local i = 0 while i < 3 do i = i + 1 ${inner} end`,
      `do local a = ${value} ; s = s .. tostring(a) end`,
      `local function f(x, ...) ${inner} return x, ... end a = f(${value})`,
      `repeat local z = ${value} until true`,
      `a, b = ${value}, ${this.expression(1)}`,
    ]);
  }

  #pick(items: readonly string[]): string {
    return this.#random.pick(items);
  }
}
