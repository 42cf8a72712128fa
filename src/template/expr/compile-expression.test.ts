import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../objects/index.ts';
import { LimitError, TemplateError } from '../template-error.ts';
import { compileExpression } from './compile-expression.ts';

const app = {
  metadata: { name: 'web', labels: { team: 'shop', 'a/b': 'c' }, finalizers: [] },
  spec: { source: { repoURL: 'https://git.example/web.git' }, replicas: 3 },
  status: { resources: [{ kind: 'Pod', health: 'Healthy' }, { kind: 'Service' }], history: null },
};
const run = (text: string): JsonValue => compileExpression(text).run({ app });

describe('An expression', () => {
  it.each<[string, JsonValue]>([
    ['app.metadata.name == "web"', true],
    ["app.metadata.name in ['api', 'web']", true],
    ['app.metadata.name not in ["web"]', false],
    ['"team" in app.metadata.labels', true],
    ['app.metadata.labels["a/b"]', 'c'],
    ['app.metadata.labels.nothing == nil', true],
    ['app.status.history?.[0]?.id ?? "none"', 'none'],
    ['app.spec.source.repoURL contains "example" and not (app.spec.replicas < 3)', true],
    ['app.spec.source.repoURL matches "^https://[a-z.]+/web"', true],
    ['app.metadata.name startsWith "w" && app.metadata.name endsWith "b"', true],
    ['app.spec.replicas > 2 ? "many" : "few"', 'many'],
    ['any(app.status.resources, {.kind == "Pod"})', true],
    ['all(app.status.resources, .kind != "Pod")', false],
    ['len(filter(app.status.resources, {#.kind == "Service"}))', 1],
    ['map(app.status.resources, {.kind}) | join(",")', 'Pod,Service'],
    ['count(1..5, # % 2 == 0)', 2],
    ['1 + 2 * 3 ** 2 - -1', 20],
    ['2 ^ 3 ^ 2', 512],
    ['!true || false', false],
    ['not true or true', true],
    ['"a" + \'b\' + `\\c`', 'ab\\c'],
    ['"x\\n\\u0041"', 'x\nA'],
    ['[1, 2, 3][1:]', [2, 3]],
    ['[1, 2, 3][-1]', 3],
    ['{a: 1, "b": 2}.b', 2],
    ['upper(app.metadata.name) // a comment', 'WEB'],
    ['split("a-b", "-")[1]', 'b'],
    ['len(app.metadata.finalizers) == 0', true],
  ])('%s', (text, value) => {
    expect(run(text)).toEqual(value);
  });

  it.each(['', 'app.', '1 +', '(1', '"open', 'a b', '{a: }', '@', 'f(', ')', '['.repeat(2_000)])('%j is none', (text) => {
    expect(() => compileExpression(text)).toThrow(TemplateError);
  });

  it.each([
    'nothing',
    'nothing(1)',
    'app.status.history.id',
    '1 && true',
    'app.metadata.name + 1',
    '1 contains "a"',
    '[1][5]',
    '#',
    'app.metadata.name.__proto__.x',
    'app.constructor.name',
    'constructor',
  ])('%s has no value', (text) => {
    expect(() => run(text)).toThrow(TemplateError);
  });

  it('JQ-04 ends, whatever it asks for', () => {
    const startedMs = performance.now();
    for (const text of ['1..1000000000', 'map(1..100000, {map(1..100000, {1})})', `"${'a'.repeat(40)}" matches "(a+)+$b"`, '9 ** 9 ** 9'])
      try {
        run(text);
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
      }
    expect(() => run('map(1..100000, {map(1..100000, {1})})')).toThrow(LimitError);
    expect(() => compileExpression(`${'1+'.repeat(50_000)}1`)).toThrow(TemplateError);
    expect(run(`${'1+'.repeat(1_900)}1`)).toBe(1_901);
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});
