import { describe, expect, it } from 'vitest';
import { LimitError, TemplateError } from '../template-error.ts';
import { compileJq, compileJqDeletion, compileJqPaths } from './compile-jq.ts';

describe('JQ-01: queries that would not end, or would look outside', () => {
  it.each([
    'def f: f; f',
    '[repeat(.)]',
    'range(1e12)',
    '[range(1e12)]',
    'reduce range(1e12) as $x (0; . + 1)',
    '"x" * 1e12',
    'last(range(1e12))',
    'def f: [f]; f',
    '[recurse(.)]',
    '"x" | until(false; . + .)',
    '[limit(1e12; repeat(1))]',
    // The root is not a number, and would be a part of a list that takes no number of steps.
    '[0] | del(.[(0 - 1 | sqrt):]) | last(range(1e12))',
    '[0] | delpaths([[{"start": null, "end": (0 - 1 | sqrt)}]]) | last(range(1e12))',
  ])('%s ends with an error', (text) => expect(() => compileJq(text).run({})).toThrow(LimitError));

  it('sees no environment, no further input and no clock', () => {
    expect(compileJq('env, $ENV').run(null)).toEqual([{}, {}]);
    expect(() => compileJq('input').run(null)).toThrow(TemplateError);
    for (const text of ['now', 'input_filename', 'include "x"; .', 'import "x" as x; .', '$__prog_args', 'getpath'])
      expect(() => compileJq(text).run(null), text).toThrow(TemplateError);
  });

  it('a regular expression that would look back for ever is no harder than others', () => {
    expect(compileJq('test("(a+)+$")').run(`${'a'.repeat(2000)}!`)).toEqual([false]);
  });

  it('deep nesting is refused in words', () => {
    expect(() => compileJq(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`)).toThrow(TemplateError);
    expect(() => compileJq(`.${'.a'.repeat(0)}${'|.'.repeat(100_000)}`)).toThrow(TemplateError);
  });
});

describe('JQ-01: queries of few steps, each of which is large', () => {
  const twice = 'reduce range(60) as $i (0; [., .])';
  it.each([
    ['look for a long text in a longer one', '("a" * 3000000) | index(("a" * 1500000) + "b")'],
    ['look for a long list in another', '[range(200000)] | contains([range(100000; 200000)])'],
    ['take a long list out of another', '[range(150000)] - [range(200000; 350000)]'],
    ['count a long text again and again', '("a" * 1000000) as $s | [range(200000) | ($s | length)]'],
    ['compare a long text again and again', '("a" * 1000000) as $s | [range(200000) | $s == $s]'],
    ['begin a long list again and again', '[range(300000)] as $a | [range(100000) | first($a[])]'],
    ['copy a long list again and again', '[range(300000)] as $a | [range(1000) | $a[1:]]'],
    ['copy a growing object', 'reduce range(100000) as $i ({}; . + {"\\($i)": 1})'],
    ['make lists of nothing', '[range(1000) | ([] | .[1000000] = 0)]'],
    ['make a square of nothing', '([range(100000) | []] + [[range(300000)]]) | transpose'],
    ['print what is in itself in two places, sixty levels deep', `${twice} | tojson`],
    ['write it into a text', `"\\(${twice})"`],
    ['flatten it', `${twice} | flatten`],
    ['compare it', `${twice} | . == (. + [])`],
    ['follow a path without end', 'path(reduce range(300000) as $i (.; .a))'],
  ])('%s', (_what, text) => expect(() => compileJq(text).run(null)).toThrow(LimitError));

  it('raise no more than anybody reads, at once', () => {
    const caught = `try (${twice} | tonumber) catch .`;
    expect(compileJq(caught).run(null)).toEqual([`tonumber cannot be applied to: array (${'['.repeat(27)} ...)`]);
    expect(() => compileJq(`${twice} | error`).run(null)).toThrow(/^\[{60}0,0\],\[0,0\]/);
    expect(() => compileJq('("x" * 1000000) | error').run(null)).toThrow(/^x{1000}$/);
    expect(() => compileJq('("1" * 1000000 + "x") | tonumber').run(null)).toThrow('tonumber cannot be applied to: string ("111');
    expect(() => compileJq('{a: [1, "b"], c: {d: null}} + 1').run(null)).toThrow('object ({"a":[1,"b"],"c":{"d":null}}) and number (1)');
  });

  it('leave room for what is asked of large objects', () => {
    const schema = { properties: { a: { description: 'y', type: 'string' } } };
    const fields = Array.from({ length: 1_000 }, (_unused, at) => ({ name: `field${at}`, description: 'x', schema }));
    expect(JSON.stringify(compileJqDeletion('.. | .description?').apply({ fields }))).not.toContain('description');
    expect(compileJq('[.[] | select(.name | test("99"))] | length').run(fields)).toEqual([19]);
  });
});

describe('A query is read by itself', () => {
  it('JQ-01: before what is done with it is put around it', () => {
    for (const text of ['.a) | ({b: 1}', '.a) | (reduce range(60) as $i (.; [., .])', '.a); ("', ')('])
      expect(() => compileJqDeletion(text), text).toThrow(TemplateError);
    expect(() => compileJqPaths('.a) | ([["kind"]][]')).toThrow(TemplateError);
    expect(compileJqDeletion('.a # what others set').apply({ a: 1, b: 2 })).toEqual({ b: 2 });
    expect(compileJqPaths('.a[]').run({ a: [1, 2] })).toEqual([
      ['a', 0],
      ['a', 1],
    ]);
  });
});

describe('taking out what a query points at', () => {
  const deployment = {
    spec: {
      replicas: 3,
      containers: [
        { name: 'web', image: 'a' },
        { name: 'side', image: 'b' },
      ],
    },
  };

  it('leaves the rest, and the value that was given, as they are', () => {
    const rule = compileJqDeletion('.spec.replicas, (.spec.containers[] | select(.name == "side"))');
    expect(rule.apply(deployment)).toEqual({ spec: { containers: [{ name: 'web', image: 'a' }] } });
    expect(deployment.spec.containers).toHaveLength(2);
  });

  it('gives the same value back where nothing is there', () => {
    expect(compileJqDeletion('.status.conditions').apply(deployment)).toBe(deployment);
    expect(compileJqDeletion('.spec.containers[5], .spec.containers[1:1]').apply(deployment)).toBe(deployment);
  });

  it.each([
    ['.[0], .[0]', [1, 2, 3]],
    ['.[-1], .[3], .[0]', [1, 2]],
    ['.[] | (select(. > 1), select(. > 2))', [0, 1]],
    ['.[1:3], .[2]', [0, 3]],
    ['.[1:][:2]', [0, 3]],
    ['.[1:][1], .[1:][-1]', [0, 1]],
  ])('counts places in a list as they were before: %s', (text, left) => {
    expect(compileJqDeletion(text).apply([0, 1, 2, 3])).toEqual(left);
  });

  it('takes something out of each of many thousand items', () => {
    const items = Array.from({ length: 20_000 }, (_unused, id) => ({ id, seen: true }));
    const value = { list: items, map: Object.fromEntries(items.map((item) => [`n${item.id}`, item])) };
    const left = { list: items.map(({ id }) => ({ id })), map: Object.fromEntries(items.map(({ id }) => [`n${id}`, { id }])) };
    expect(compileJqDeletion('.list[].seen, .map[].seen').apply(value)).toEqual(left);
  });

  it('DOS-01: takes out a part of a part of a part, and so on, in a time that grows with their number alone', () => {
    const text = '[range(2000) | {"start": 0, "end": null}] as $path | [range(20000)] | delpaths([range(20) | $path])';
    const startMs = performance.now();
    expect(compileJq(text).run(null)).toEqual([[]]);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('refuses what points at nothing that could be taken out', () => {
    expect(() => compileJqDeletion('1').apply(deployment)).toThrow('invalid path against');
    expect(() => compileJqDeletion('.spec.replicas[]').apply(deployment)).toThrow('cannot iterate over');
    expect(() => compileJqDeletion('nonsense(')).toThrow(TemplateError);
  });

  it('keeps keys that JavaScript treats specially', () => {
    const value: unknown = JSON.parse('{"__proto__": {"x": 1}, "a": {"__proto__": 2, "b": 3}}');
    expect(JSON.stringify(compileJqDeletion('.a.b').apply(value as object as Record<string, never>))).toBe(
      '{"__proto__":{"x":1},"a":{"__proto__":2}}',
    );
    expect(JSON.stringify(compileJqDeletion('.__proto__').apply(value as object as Record<string, never>))).toBe(
      '{"a":{"__proto__":2,"b":3}}',
    );
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
