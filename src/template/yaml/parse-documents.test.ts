import { describe, expect, it } from 'vitest';
import { parseYamlDocuments, YamlError } from './parse-documents.ts';

const limits = { depthMax: 100, aliasedCharactersMax: 100_000 };
const parseAll = (text: string) => [...parseYamlDocuments(text, limits)];
const parse = (text: string) => parseAll(text)[0];

describe('YAML of manifests', () => {
  it.each([
    ['yes', true],
    ['NO', false],
    ['y', true],
    ['off', false],
    ['~', null],
    ['', null],
    ['0777', 511],
    ['0o17', 15],
    ['0x1F', 31],
    ['0b101', 5],
    ['08', 8],
    ['1_000', 1000],
    ['-12', -12],
    ['+3', 3],
    ['1e3', 1000],
    ['.5', 0.5],
    ['1.', 1],
    ['1e400', '1e400'],
    ['12:30', '12:30'],
    ['1:2:3', '1:2:3'],
    ['2001-01-01', '2001-01-01'],
    ['2001-12-14T21:59:43Z', '2001-12-14T21:59:43Z'],
    ['1.2.3', '1.2.3'],
    ['9007199254740991', 9007199254740991],
    ['"yes"', 'yes'],
    ["'5'", '5'],
    ['!!str 5', '5'],
    ['!!int "5"', 5],
    ['!!float 1', 1],
    ['!!binary aGVsbG8=', 'hello'],
    ['nope', 'nope'],
    ['100000000000000000000', 1e20],
  ])('YAML-04: %s is %j', (text, value) => expect(parse(`a: ${text}\n`)).toEqual({ a: value }));

  it.each(['.inf', '-.Inf', '.nan', '!!js/function "x"', '!custom x', '!!int x', '*missing', '&a [*a]', '9007199254740993'])(
    'YAML-04: %s is refused',
    (text) => expect(() => parse(`a: ${text}\n`)).toThrow(YamlError),
  );

  it('YAML-03: keeps keys that JavaScript treats specially as plain data', () => {
    const value = parse('__proto__: {polluted: yes}\nconstructor: 1\nhasOwnProperty: 2\n');
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"constructor":1,"hasOwnProperty":2}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('merges maps, the own keys being stronger, and of repeated keys the last', () => {
    const text = 'base: &b {x: 1, w: 2}\nother: &o {w: 3, z: 4}\nmade:\n  x: 9\n  <<: [*b, *o]\n  k: 1\n  k: 2\n';
    expect((parse(text) as { made: unknown }).made).toEqual({ x: 9, w: 2, z: 4, k: 2 });
  });

  it('makes texts of keys that are none', () => expect(parse('1: a\ntrue: b\n1.5: c\n')).toEqual({ 1: 'a', true: 'b', 1.5: 'c' }));

  it('reads several documents, with comments and without contents', () => {
    expect(parseAll('# nothing\n---\na: 1\n--- # second\nb: 2\n---\n---\n...\n')).toEqual([{ a: 1 }, { b: 2 }, null]);
    expect(parseAll('a: 1\r\n---\r\nb: 2\r\n')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(parseAll('a: |\n  x\n  --- y\n')).toEqual([{ a: 'x\n--- y\n' }]);
  });

  it('names the line of what it cannot read, and not what is there', () => {
    expect(() => parseAll('a: 1\n---\nb: 1\nsecret: [hunter2\n')).toThrow(/^yaml: line [45]: (?!.*hunter2)/);
  });

  it('gives up where aliases repeat too much', () => {
    const bomb = ['a0: &a0 [x,x,x,x,x,x,x,x,x]', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`)];
    expect(() => parse(bomb.join('\n'))).toThrow('aliases repeat too much');
  });

  it('gives up where it is too deep', () => {
    expect(() => parse(`a: ${'['.repeat(200)}${']'.repeat(200)}`)).toThrow('levels deep');
    expect(() => parse(`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toThrow(YamlError);
  });
});
