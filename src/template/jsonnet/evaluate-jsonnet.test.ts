import { describe, expect, it } from 'vitest';
import { LimitError } from '../template-error.ts';
import { evaluateJsonnet } from './evaluate-jsonnet.ts';
import type { JsonnetProgram } from './evaluate-jsonnet.ts';
import { findJsonnetImports } from './find-imports.ts';

/** Where the machine's own stack is small, it ends first. */
const DEEP = 'nested too deeply|max stack frames exceeded';

const run = (text: string, more: Partial<JsonnetProgram> = {}): unknown =>
  JSON.parse(evaluateJsonnet({ name: 'main.jsonnet', text, ...more }));

describe('Jsonnet', () => {
  it('prints as the original does', () => {
    expect(evaluateJsonnet({ name: '', text: '{ b: [1, {}], a: "x" }' })).toBe(
      '{\n   "a": "x",\n   "b": [\n      1,\n      { }\n   ]\n}\n',
    );
  });

  it('gets imports from a callback alone, and tells what that says', () => {
    const asked: string[] = [];
    const resolveImport = (from: string, path: string) => {
      asked.push(`${from} ${path}`);
      if (path !== 'lib') throw new Error('nothing there');
      return { name: 'folder/lib', bytes: Buffer.from("{ x: importstr 'lib' }") };
    };
    expect(run("(import 'lib').x", { resolveImport })).toBe("{ x: importstr 'lib' }");
    expect(asked).toEqual(['main.jsonnet lib', 'folder/lib lib']);
    expect(() => run("import 'other'", { resolveImport })).toThrow('RUNTIME ERROR: nothing there\n\tmain.jsonnet:1:1');
    expect(() => run("import 'other'")).toThrow('import not available other');
  });

  it('says where a program fails', () => {
    expect(() => run('{\n  a: 1,\n  b: self.c,\n}')).toThrow('RUNTIME ERROR: Field does not exist: c\n\tmain.jsonnet:3:10');
    expect(() => run('local x = 1;\n y')).toThrow('main.jsonnet:2:2 Unknown variable: y');
    expect(() => run("std.extVar('x')", { externalVariables: [{ name: 'x', value: '1 +', isCode: true }] })).toThrow('<extvar:x>:1:4');
  });

  it('keeps keys that JavaScript treats specially as plain data', () => {
    const text = evaluateJsonnet({
      name: '',
      text: '{ __proto__: { polluted: true }, constructor: 1 } + std.parseJson(\'{"__proto__": 2}\')',
    });
    expect(JSON.parse(text)).toEqual(JSON.parse('{ "__proto__": 2, "constructor": 1 }'));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('finds all imports without running anything', () => {
    const text = `local a = import 'a.libsonnet'; importstr "b" + importbin @'c' + (import 'a.libsonnet') # import 'no'\n + "import 'no'" + importstr 'a.libsonnet'`;
    expect(findJsonnetImports(text)).toEqual([
      { path: 'a.libsonnet', isCode: true },
      { path: 'b', isCode: false },
      { path: 'c', isCode: false },
    ]);
    expect(findJsonnetImports('import "open')).toEqual([]);
  });
});

describe('JSNT-02: programs that would not end, or take too much', () => {
  const programs: readonly (readonly [string, string])[] = [
    ['local f(x) = f(x + 1); f(0)', 'max stack frames exceeded'],
    ['local f(x) = f(x + 1) tailstrict; f(0)', 'it takes too long'],
    ['local a = a; a', 'max stack frames exceeded'],
    ['{ a: self.a }', 'max stack frames exceeded'],
    ['local x = [x]; x', 'max stack frames exceeded'],
    ['local x = { x: x }; std.toString(x)', 'max stack frames exceeded'],
    ['local x = [x]; x == [x]', 'max stack frames exceeded'],
    ['local x = [x]; std.manifestYamlDoc(x)', 'max stack frames exceeded'],
    ['local x = [x]; std.flattenDeepArray(x)', 'max stack frames exceeded'],
    ["std.repeat('x', 1000000000)", 'a text has more than'],
    ['std.repeat([1], 1000000000)', 'a list has more than'],
    ['std.range(1, 1000000000)', 'a list has more than'],
    ['std.makeArray(1000000000, function(i) i)', 'a list has more than'],
    ["std.foldl(function(a, i) a + a, std.range(1, 60), 'x')", 'a text has more than'],
    ['std.foldl(function(a, i) a + a, std.range(1, 60), [1])', 'a list has more than'],
    ["std.foldl(function(a, i) std.join(a, [a, a]), std.range(1, 60), 'x')", 'a text has more than'],
    ["std.foldl(function(a, i) std.strReplace(a, 'x', 'xx'), std.range(1, 60), 'x')", 'a text has more than|a list has more than'],
    ["'%1000000000d' % 1", 'a text has more than'],
    ["'%.1000000000f' % 1", 'a text has more than'],
    ["'%*d' % [1000000000, 1]", 'a text has more than'],
    ['[x for x in std.range(1, 100000) for y in std.range(1, 100000)]', 'a list has more than|it takes too long'],
    ['std.length([x for x in std.range(1, 100000) if std.length([y for y in std.range(1, 100000) if y == 0]) > 0])', 'it takes too long'],
    [`${'['.repeat(100_000)}`, DEEP],
    [`${'-'.repeat(100_000)}1`, DEEP],
    [`${'(function() '.repeat(50_000)}`, DEEP],
    [`${'{ a: '.repeat(50_000)}`, DEEP],
    [`${'local a = '.repeat(50_000)}`, DEEP],
    [`std.parseJson('${'['.repeat(3000)}${']'.repeat(3000)}')`, 'too deep'],
    [`std.parseYaml('${'['.repeat(3000)}${']'.repeat(3000)}')`, 'deep|resource exhaustion'],
    [
      "std.parseYaml('a0: &a0 [x]\\n' + std.join('\\n', ['a%d: &a%d [*a%d,*a%d]' % [i, i, i - 1, i - 1] for i in std.range(1, 40)]))",
      'aliases repeat',
    ],
    [
      `local o0 = { a: 1 }; ${Array.from({ length: 40 }, (_, at) => `local o${at + 1} = [o${at}, o${at}];`).join(' ')} o40`,
      'a text has more than|takes too long',
    ],
  ];
  it.each(programs.map(([text, reason]) => [text.slice(0, 100), text, reason] as const))('%s', (_, text, reason) => {
    const limits = { stepsMax: 2_000_000, outputCharactersMax: 1 << 20, textCharactersMax: 1 << 22, elementsMax: 1 << 18 };
    expect(() => run(text, { limits })).toThrow(new RegExp(reason));
  });

  it('lets long programs end that only look like it', () => {
    expect(run('local sum(n, acc) = if n == 0 then acc else sum(n - 1, acc + n) tailstrict; sum(200000, 0)')).toBe(20_000_100_000);
    expect(run(`std.length([${'x,'.repeat(20_000)}])`.replaceAll('x', '1'))).toBe(20_000);
    expect(run(`std.length('${'x'.repeat(5_000_000)}' + @'${"y''".repeat(1_000_000)}')`)).toBe(7_000_000);
    const indexing = (text: string): string =>
      `local s = std.repeat('${text}', 50000); std.length([1 for i in std.range(0, std.length(s) - 1) if s[i] == 'a'])`;
    expect(run(indexing('abc'))).toBe(50_000);
    expect(run(indexing('a😀'))).toBe(50_000);
    expect(run("std.length(std.findSubstr('a', std.repeat('a', 200000)))")).toBe(200_000);
    expect(run(Array.from({ length: 20_000 }, () => '1').join(' + '))).toBe(20_000);
    expect(run("std.length(std.foldl(function(a, i) a + 'line ' + i + '\\n', std.range(1, 20000), ''))")).toBeGreaterThan(100_000);
  });

  it('is a LimitError, so that it can be told from a mistake', () => {
    expect(() => run('std.range(1, 1e9)')).toThrow(LimitError);
  });
});
