import { describe, expect, it } from 'vitest';
import { BadValue } from './bad-value.ts';
import { notNegative, parseDurationWithDays, parseGoDuration } from './parse-duration.ts';
import { parseGoBoolean } from './parse-text.ts';
import { parseYaml } from './parse-yaml.ts';

const ignore = () => undefined;

describe('durations', () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['+5s', 5_000],
    ['-1.5h', -5_400_000],
    ['1h30m', 5_400_000],
    ['90s', 90_000],
    ['100ms', 100],
    ['1.5s', 1_500],
    ['.5s', 500],
    ['1.s', 1_000],
    ['5us', 0.005],
    ['5µs', 0.005],
    ['24h0m0s', 86_400_000],
  ])('%s is %d ms', (text, milliseconds) => {
    expect(parseGoDuration(text)).toBeCloseTo(milliseconds, 6);
  });

  it.each(['', ' ', '5', 's', '5 s', '1d', 'h1', '1h-5m', '1,5s', '--1s', '9999999999h', 'NaNs', '1e3s', '５s'])('%j is none', (text) => {
    expect(() => parseGoDuration(text)).toThrow(BadValue);
  });

  it('may be counted in days where that is said', () => {
    expect(parseDurationWithDays('7d')).toBe(7 * 86_400_000);
    expect(parseDurationWithDays('1d12h')).toBe(1.5 * 86_400_000);
  });

  it('are not negative where that makes no sense', () => {
    expect(() => notNegative(parseGoDuration)('-1s')).toThrow(BadValue);
    expect(Object.is(notNegative(parseGoDuration)('-0s'), 0)).toBe(true);
  });

  it('are refused in a time that grows with their length alone', { timeout: 10_000 }, () => {
    for (const parse of [parseGoDuration, parseDurationWithDays]) expect(() => parse(`${'1'.repeat(500_000)}x`)).toThrow(BadValue);
  });
});

describe('booleans of Go', () => {
  it.each([
    ['1', true],
    ['t', true],
    ['TRUE', true],
    ['True', true],
    ['0', false],
    ['F', false],
    ['False', false],
    ['', true],
  ])('%j is %s', (text, value) => expect(parseGoBoolean(true)(text, ignore)).toBe(value));

  it.each(['yes', 'tRUE', ' true', 'on', '2'])('%j is none', (text) => expect(() => parseGoBoolean(true)(text, ignore)).toThrow(BadValue));
});

describe('YAML', () => {
  it('is read as version 1.1, but what looks like a date stays a text', () => {
    expect(parseYaml('a: yes\nb: 2020-01-01\nc: 0o7\nd: ~\ne: [1, 2.5, "x"]', ignore)).toEqual({
      a: true,
      b: '2020-01-01',
      c: '0o7',
      d: null,
      e: [1, 2.5, 'x'],
    });
  });

  it('may repeat itself with anchors and merges, within bounds', () => {
    expect(parseYaml('base: &b {x: 1}\nmore: {<<: *b, z: 2}', ignore)).toEqual({ base: { x: 1 }, more: { x: 1, z: 2 } });
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefgh'.split('').map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[index]}`).join(', ')}]`),
    ];
    expect(() => parseYaml(bomb.join('\n'), ignore)).toThrow(BadValue);
  });

  it('is bounded in depth, whatever the depth', () => {
    expect(() => parseYaml('['.repeat(70) + ']'.repeat(70), ignore)).toThrow(/levels deep/);
    expect(() => parseYaml('['.repeat(20_000), ignore)).toThrow(BadValue);
    expect(() => parseYaml('- '.repeat(20_000), ignore)).toThrow(BadValue);
  });

  it('keeps __proto__ as a key like any other', () => {
    const value = parseYaml('__proto__: {polluted: 1}\nconstructor: 2', ignore);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":1},"constructor":2}');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('takes the last of repeated keys, and many keys in time', () => {
    expect(parseYaml('a: 1\na: 2', ignore)).toEqual({ a: 2 });
    expect(parseYaml(Array.from({ length: 20_000 }, (_, index) => `k${index}: v`).join('\n'), ignore)).toMatchObject({ k19999: 'v' });
  });

  it.each(['a: [', 'a: b: c', '--- 1\n--- 2', '\t- x', '*nowhere', 'a: hunter2 "'])('never says what was in it: %j', (text) => {
    const read = () => parseYaml(`clientSecret: hunter2\n${text}\nx: "`, ignore);
    expect(read).toThrow(BadValue);
    expect(read).not.toThrow(/hunter2/);
  });
});
