import { describe, expect, it } from 'vitest';
import { LimitError, TemplateError } from '../template-error.ts';
import { compileJq, compileJqDeletion } from './compile-jq.ts';

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
