import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../objects/index.ts';
import { LimitError, TemplateError } from '../template-error.ts';
import { compileLua } from './compile-lua.ts';
import type { LuaOptions } from './compile-lua.ts';

function run(text: string, obj: JsonValue = {}, options: LuaOptions = { areAllLibrariesOpen: true }) {
  return compileLua(text, options).run({ globals: { obj }, nowMs: () => 1_700_000_000_000 });
}
const json = (text: string, obj?: JsonValue): JsonValue => run(text, obj).toJson();

describe('Lua', () => {
  it('gives back what it was given', () => {
    const value = { list: [1, [2, { three: 'größer' }]], flag: false, number: 1.5, ['__proto__x']: 'y', text: 'a\u0000b' };
    expect(json('return obj', value)).toEqual(value);
    expect(json('obj["__proto__"] = {polluted = true} return obj', {})).toEqual(JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['return {}', []],
    ['return {1, 2}', [1, 2]],
    ['return {a = 1}', { a: 1 }],
    ['return nil', null],
    ['return', null],
    ['return 5', 5],
  ])('%s is %j', (text, expected) => expect(json(text)).toEqual(expected));

  it.each([
    ['return {1, a = 2}', 'cannot encode mixed or invalid key types'],
    ['return {[1] = 1, [3] = 3}', 'cannot encode sparse array'],
    ['local t = {} t.t = t return t', 'cannot encode recursively nested tables to JSON'],
    ['return {print}', 'cannot encode function to JSON'],
    ['return {0/0}', 'json: unsupported value: NaN'],
  ])('%s is no JSON', (text, message) => {
    const result = run(text);
    expect(() => result.toJson()).toThrow(new TemplateError(message));
  });

  it('tells the time that it is told', () => {
    expect(json('return {os.time(), os.date("!%Y-%m-%d")}')).toEqual([1_700_000_000, '2023-11-14']);
  });

  it('keeps nothing from one run to the next', () => {
    const script = compileLua('count = (count or 0) + 1 table.count = (table.count or 0) + 1 return {count, table.count}');
    for (let round = 0; round < 2; round += 1) expect(script.run({ globals: {}, nowMs: () => 0 }).toJson()).toEqual([1, 1]);
  });

  it('has few libraries unless it is told to open all', () => {
    const text = 'return {type(string), type(math), type(os.clock), type(table), type(os.time), type(pairs)}';
    expect(run(text, {}, {}).toJson()).toEqual(['nil', 'nil', 'nil', 'table', 'function', 'function']);
    expect(run(text).toJson()).toEqual(['table', 'table', 'function', 'table', 'function', 'function']);
  });

  it('swaps variables', () => expect(json('local a, b = 1, 2 a, b = b, a return {a, b}')).toEqual([2, 1]));

  it('JQ-04: has nothing that reads files, runs programs or sees the environment', () => {
    const names = ['io', 'debug', 'dofile', 'loadfile', 'os.execute', 'os.remove', 'os.rename', 'os.exit', 'os.tmpname', 'package.loadlib'];
    for (const name of names) expect(run(`return ${name}`).values).toEqual([{ type: 'nil', text: 'nil' }]);
    expect(json('return os.getenv("HOME")')).toBe(null);
    expect(json('return {pcall(require, "io")}')).toEqual([false, '<string>:1: module io not found']);
  });

  it('JQ-04: gives no way to what it is written in', () => {
    expect(json('return {tostring(obj.constructor), tostring(obj.__proto__), tostring(("x").constructor)}')).toEqual(['nil', 'nil', 'nil']);
  });

  it.each([
    ['a loop without an end', 'while true do end'],
    ['a repetition without an end', 'repeat until false'],
    ['a jump without an end', '::top:: goto top'],
    ['a recursion at the end of a function', 'local function f() return f() end f()'],
    ['a loop that catches its errors', 'while true do pcall(error) end'],
    ['an error handler that goes on', 'local function f() while true do end end xpcall(f, f)'],
    ['a pattern that tries everything', 'return ("a"):rep(40):match(("a*"):rep(20) .. "b")'],
    ['a sort that never agrees', 'local t = {} for i = 1, 1e5 do t[i] = i end while true do table.sort(t, function() return true end) end'],
    ['a text that doubles', 'local s = "x" while true do s = s .. s end'],
    ['a text of a great length', 'return ("x"):rep(1e12)'],
    ['a format of a great width', 'return (("%900d"):rep(1000)):format(1, 2, 3), ("x"):rep(4e7)'],
    ['a table that grows', 'local t = {} for i = 1, 1e9 do t[i] = i end'],
    ['a table with many keys', 'local t = {} for i = 1, 1e9 do t["k" .. i] = {} end'],
    ['a table that is filled up to a far place', 'local t = {} local i = 1 while true do i = i + 4000 t[i] = 1 end'],
    ['functions without an end', 'local fs = {} while true do fs[#fs + 1] = function() return fs end end'],
    ['globals without an end', 'local i = 0 while true do i = i + 1 _G["g" .. i] = i end'],
    ['sources that make sources', 'local s = "return 1" while true do s = s .. " + 1" loadstring(s) end'],
    ['brackets in brackets', `return ${'('.repeat(5000)}1${')'.repeat(5000)}`],
    ['a long sum', `return ${'1+'.repeat(100_000)}1`],
    ['an index that asks itself', 'local t = {} setmetatable(t, {__index = function(t, k) while true do end end}) return t.x'],
    ['a text of a value that makes texts', 'local t t = setmetatable({}, {__tostring = function() while true do end end}) print(t)'],
  ])('JQ-04: stops %s', (_what, text) => {
    expect(() => run(text)).toThrow(LimitError);
  });

  it('refuses calls that go too deep, and lets the script catch that', () => {
    const text = 'local function f(n) return 1 + f(n + 1) end local ok, problem = pcall(f, 1) return {ok, problem}';
    expect(json(text)).toEqual([false, '<string>:1: stack overflow']);
    expect(json('local t = setmetatable({}, {}) getmetatable(t).__index = t return {(pcall(function() return t.x end))}')).toEqual([false]);
  });

  it('says where an error is', () => {
    expect(() => run('local x\n\nreturn x.y')).toThrow(
      new TemplateError("<string>:3: attempt to index a non-table object(nil) with key 'y'"),
    );
    expect(() => compileLua('return\n+')).toThrow("<string> line:2 near '+': a name expected");
    expect(() => run('error({code = 1})')).toThrow(/^table: 0x/);
  });
});
