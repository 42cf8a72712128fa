import { describe, expect, it } from 'vitest';
import { parseJsonText } from './parse-json-text.ts';

const parse = (text: string): unknown => parseJsonText(Buffer.from(text));

describe('parsing a JSON body', () => {
  it.each([
    '{}',
    '[]',
    '"text"',
    '0',
    'null',
    ' \t\r\n{"a": [1, -2.5e3, true, false, null, "\\u00fc\\n\\"\\\\"], "b": {"a": {"a": 1}}} ',
    '{"\\"":1,"a:b":"c:{[","\\\\":2}',
    '{"ü":"😀"}',
  ])('reads %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['', 'malformed JSON: the text ends where a value is expected at line 1, column 1'],
    ['{"a":1,\n "b":}', 'malformed JSON: expected a value at line 2, column 6'],
    ['{"a":1\n\n "b":2}', 'malformed JSON: expected "," or "}" at line 3, column 2'],
    ['{"a"', 'malformed JSON: the text ends where ":" is expected at line 1, column 5'],
    ['{"a":1', 'malformed JSON: the text ends where "," or "}" is expected at line 1, column 7'],
    ['[1,]', 'malformed JSON: expected a value at line 1, column 4'],
    ['[1 2]', 'malformed JSON: expected "," or "]" at line 1, column 4'],
    ['{a:1}', 'malformed JSON: expected a key in quotes at line 1, column 2'],
    ["{'a':1}", 'malformed JSON: expected a key in quotes at line 1, column 2'],
    ['{"a":1}}', 'malformed JSON: expected the end of the text at line 1, column 8'],
    ['{} {}', 'malformed JSON: expected the end of the text at line 1, column 4'],
    ['"abc', 'malformed JSON: the text ends within a string at line 1, column 5'],
    ['"a\\', 'malformed JSON: an unknown escape at line 1, column 3'],
    ['"\\x"', 'malformed JSON: an unknown escape at line 1, column 2'],
    ['"a\nb"', 'malformed JSON: a control character within a string at line 1, column 3'],
    ['01', 'malformed JSON: expected the end of the text at line 1, column 2'],
    ['NaN', 'malformed JSON: expected a value at line 1, column 1'],
    ['\uFEFF{}', 'malformed JSON: expected a value at line 1, column 1'],
    ['}', 'malformed JSON: expected a value at line 1, column 1'],
  ])('refuses %j', (text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'ApiError', code: 3, message }));
  });

  it.each([
    ['{"a":1,"a":2}', 'the key "a" is there twice at line 1, column 8'],
    ['{"x":[{"b":{}},\n{"b":1,"c":2,"b":1}]}', 'the key "b" is there twice at line 2, column 14'],
    ['{"a":1,"\\u0061":2}', 'the key "a" is there twice at line 1, column 8'],
    ['{"__proto__":1,"__proto__":2}', 'the key "__proto__" is there twice at line 1, column 16'],
    ['{"1":1,"1":2}', 'the key "1" is there twice at line 1, column 8'],
  ])('refuses a key given twice: %j', (text, problem) => {
    expect(() => parse(text)).toThrow(`malformed JSON: ${problem}`);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseJsonText(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow('the body is not valid UTF-8');
  });

  it('takes 200 levels and refuses more, up to a body of nothing but brackets (DOS)', () => {
    expect(parse('['.repeat(200) + ']'.repeat(200))).toBeInstanceOf(Array);
    expect(() => parse('['.repeat(201) + ']'.repeat(201))).toThrow('nested more than 200 deep at line 1, column 201');
    expect(() => parse('['.repeat(4_000_000))).toThrow('nested more than 200 deep');
    expect(() => parse('{"a":'.repeat(100_000))).toThrow('nested more than 200 deep');
    expect(() => parse(`${'{"a":[1],"b":'.repeat(300)}1${'}'.repeat(300)}`)).toThrow('nested more than 200 deep');
  });

  it('makes own properties of __proto__ and constructor, and changes nothing else (NODE-04)', () => {
    const value = parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is not slow on long strings and many keys', () => {
    const long = {
      text: 'x"\\'.repeat(300_000),
      ...Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index])),
    };
    expect(parse(JSON.stringify(long))).toEqual(long);
  });
});
