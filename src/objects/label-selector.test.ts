import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../base/index.ts';
import { formatLabelSelector, matchesLabelSelector, readLabelSelector } from './label-selector.ts';
import { parseLabelSelector } from './parse-label-selector.ts';

describe('a label selector in text', () => {
  it.each([
    ['', ''],
    ['b=1,a==2', 'a==2,b=1'],
    ['a in (y,x,x), b notin ()', 'a in (x,y),b notin ()'],
    [' !a , b ', '!a,b'],
    ['a!=,b=', 'a!=,b='],
    ['a>1,b<22', 'a>1,b<22'],
    ['in in (in)', 'in in (in)'],
    ['a in (,x)', 'a in (,x)'],
  ])('%j reads as %j', (text, canonical) => {
    const selector = parseLabelSelector(text);
    expect(formatLabelSelector(selector)).toBe(canonical);
    expect(parseLabelSelector(canonical)).toEqual(selector);
  });

  it.each([
    ['a,', "found '', expected: identifier after ','"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in x', "unable to parse requirement: found 'x' expected: '('"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a>x', "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer"],
    [
      'a/b/c=d',
      "unable to parse requirement: <nil>: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(new ApiError(Code.InvalidArgument, message));
  });

  it.each<[string, Record<string, string>, boolean]>([
    ['a=1', { a: '1' }, true],
    ['a=1', {}, false],
    ['a!=1', {}, true],
    ['a notin (1,2)', { a: '3' }, true],
    ['a in (1,2)', { a: '2' }, true],
    ['a,!b', { a: '' }, true],
    ['a,!b', { a: '', b: '' }, false],
    ['a>9', { a: '10' }, true],
    ['a>9', { a: 'ten' }, false],
    ['constructor', {}, false],
  ])('%j with the labels %j: %s', (text, labels, expected) => {
    expect(matchesLabelSelector(parseLabelSelector(text), labels)).toBe(expected);
  });
});

describe('a label selector of an object', () => {
  it('holds labels and expressions', () => {
    const selector = readLabelSelector({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'gone', operator: 'DoesNotExist' },
      ],
    });
    expect(formatLabelSelector(selector)).toBe('app=web,!gone,tier in (a,b)');
    expect(matchesLabelSelector(selector, { app: 'web', tier: 'b' })).toBe(true);
    expect(matchesLabelSelector(selector, { app: 'web', tier: 'c' })).toBe(false);
  });

  it('selects everything where it is empty, and nothing where it is missing', () => {
    expect(matchesLabelSelector(readLabelSelector({}), {})).toBe(true);
    expect(matchesLabelSelector(readLabelSelector(undefined), {})).toBe(false);
  });

  it('must make sense', () => {
    const read = (operator: string, values: string[]) => () => readLabelSelector({ matchExpressions: [{ key: 'a', operator, values }] });
    expect(read('Like', [])).toThrow('"Like" is not a valid label selector operator');
    expect(read('In', [])).toThrow("values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
    expect(read('Exists', ['x'])).toThrow('values: Invalid value: ["x"]: values set must be empty for exists and does not exist');
  });
});
