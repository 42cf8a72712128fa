import { describe, expect, it } from 'vitest';
import { Code, systemTimers, type Timers } from '../../../base/index.ts';
import { readApplicationSet } from '../../../model/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import { Sealed, type LabelledSecret } from '../../../settings/index.ts';
import { applicationSetFunctions, compileGoTemplate } from '../../../template/index.ts';
import { createRenderText } from '../templates/render-text.ts';
import { createClusterGenerator } from './cluster-generator.ts';
import { createGeneratorRunner } from './generator-runner.ts';
import { listGenerator } from './list-generator.ts';
import { createPace } from './pace.ts';
import { createRoom } from './room.ts';

const functions = applicationSetFunctions();
const toJson = compileGoTemplate('{{ toJson . }}', { functions });

function cluster(
  name: string,
  labels: Record<string, string> = {},
  annotations: Record<string, string> = {},
  project = '',
): LabelledSecret {
  const data = { name, server: name === 'home' ? 'https://kubernetes.default.svc' : `https://${name}`, ...(project && { project }) };
  return {
    name: `cluster-${name}`,
    type: 'cluster',
    uid: name,
    resourceVersion: '1',
    labels: { 'argocd.argoproj.io/secret-type': 'cluster', ...labels },
    annotations,
    data: new Map(Object.entries(data).map(([key, value]) => [key, new Sealed(value)])),
  };
}

const type = 'argocd.argoproj.io/secret-type';
const someClusters = [cluster('Prod_1', { env: 'prod' }, { 'team/x': 'blue' }, 'shop'), cluster('dev', { env: 'dev' })];

interface Surroundings {
  readonly goTemplate?: boolean;
  readonly clusters?: readonly LabelledSecret[];
  readonly timers?: Timers;
  /** Called with each text that is rendered. */
  readonly onRender?: (text: string) => void;
}

/** The parameters that an entry yields, as JSON. */
async function run(
  entry: JsonObject,
  { goTemplate = false, clusters = someClusters, timers = systemTimers, onRender = () => undefined }: Surroundings = {},
): Promise<JsonValue[]> {
  const labelledSecrets = new Map(clusters.map((secret) => [secret.name, secret]));
  const settings = { current: { labelledSecrets } } as unknown as Parameters<typeof createClusterGenerator>[0]['settings'];
  const runner = createGeneratorRunner({ list: listGenerator, clusters: createClusterGenerator({ settings }) });
  const set = readApplicationSet({
    apiVersion: '',
    kind: '',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: { generators: [entry] },
  });
  const language = { goTemplate, goTemplateOptions: [], functions };
  const renderText = createRenderText(language);
  const scope = {
    applicationSet: set,
    goTemplate,
    renderText: (...given: Parameters<typeof renderText>) => {
      onRender(given[0]);
      return renderText(...given);
    },
    renderStrictly: goTemplate ? createRenderText({ ...language, goTemplateOptions: ['missingkey=error'] }) : undefined,
    strictTokens: false,
    fresh: false,
    signal: new AbortController().signal,
    pacer: createPace(timers, new AbortController().signal),
    room: createRoom(),
    answers: new Map(),
  };
  const made: JsonValue[] = [];
  for (const one of set.spec.generators)
    for (const key of runner.keysOf(one))
      made.push(...(await runner.run(one, key, scope)).map((parameters) => JSON.parse(toJson.render(parameters)) as JsonValue));
  return made;
}

const list = (...elements: JsonObject[]): JsonObject => ({ list: { elements } });

describe('the list generator', () => {
  it('takes texts, and the texts in values, without Go templates', async () =>
    expect(await run(list({ name: 'a', values: { x: '1' } }, {}))).toEqual([{ name: 'a', 'values.x': '1' }, {}]));

  it('takes anything with Go templates', async () =>
    expect(await run(list({ n: 1, deep: { list: [true] } }), { goTemplate: true })).toEqual([{ n: 1, deep: { list: [true] } }]));

  it('reads more from YAML', async () =>
    expect(await run({ list: { elements: [{ a: 'x' }], elementsYaml: '- a: z\n  c: 2\n- {}\n' } })).toEqual([
      { a: 'x' },
      { a: 'z', c: 2 },
      {},
    ]));

  it.each([
    [list({ n: 1 }), 'error parsing value as string %!w(<nil>)'],
    [list({ values: 'x' }), 'error parsing values map'],
    [list({ values: { x: 1 } }), 'error parsing value as string %!w(<nil>)'],
    [{ list: { elements: ['x'] } } as JsonObject, /^error unmarshling list element/],
    [{ list: { elementsYaml: 'a: b' } } as JsonObject, /^error unmarshling decoded ElementsYaml/],
    [{ list: { elementsYaml: '- "x' } } as JsonObject, /^error unmarshling decoded ElementsYaml/],
  ])('refuses %j', async (entry, message) => expect(run(entry)).rejects.toThrow(message));

  it('lets a key such as __proto__ through as a key', async () => {
    const element = JSON.parse('{"__proto__": "x", "constructor": "y"}') as JsonObject;
    const [made] = await run(list(element));
    expect(Object.entries(made as JsonObject)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });
});

describe('the cluster generator', () => {
  const inCluster = { name: 'in-cluster', nameNormalized: 'in-cluster', server: 'https://kubernetes.default.svc', project: '' };

  it('names each cluster with its labels and annotations, and last the one around it', async () =>
    expect(await run({ clusters: {} })).toEqual([
      {
        name: 'Prod_1',
        nameNormalized: 'prod-1',
        server: 'https://Prod_1',
        project: 'shop',
        [`metadata.labels.${type}`]: 'cluster',
        'metadata.labels.env': 'prod',
        'metadata.annotations.team/x': 'blue',
      },
      {
        name: 'dev',
        nameNormalized: 'dev',
        server: 'https://dev',
        project: '',
        [`metadata.labels.${type}`]: 'cluster',
        'metadata.labels.env': 'dev',
      },
      inCluster,
    ]));

  it('nests them with Go templates', async () =>
    expect(await run({ clusters: { selector: { matchLabels: { env: 'prod' } } } }, { goTemplate: true })).toMatchObject([
      { name: 'Prod_1', metadata: { labels: { env: 'prod' }, annotations: { 'team/x': 'blue' } } },
    ]));

  it('CRED-02: keeps to itself what kubectl noted of the Secret', async () => {
    const applied = { 'kubectl.kubernetes.io/last-applied-configuration': '{"stringData":{"config":"planted-token"}}' };
    const clusters = [cluster('one', {}, { ...applied, 'team/x': 'blue' }), cluster('two', {}, applied)];
    for (const goTemplate of [false, true])
      for (const flatList of [false, true]) {
        const text = JSON.stringify(await run({ clusters: { flatList } }, { goTemplate, clusters }));
        expect(text).toContain('blue');
        expect(text).not.toMatch(/planted-token|last-applied/);
      }
  });

  it('leaves the cluster around it out where a selector or a Secret says what it is', async () => {
    expect(await run({ clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } } })).toHaveLength(2);
    expect(await run({ clusters: {} }, { clusters: [cluster('home', { at: 'home' })] })).toMatchObject([
      { name: 'home', 'metadata.labels.at': 'home' },
    ]);
  });

  it('fails where a Secret that is meant names no server, as one that is half written', async () => {
    const emptied = { ...cluster('half', { env: 'dev' }), data: new Map<string, Sealed<string>>() };
    const clusters = [...someClusters, emptied];
    await expect(run({ clusters: {} }, { clusters })).rejects.toThrow('the Secret cluster-half of a cluster names no server');
    const selector = { matchLabels: { env: 'prod' } };
    expect(await run({ clusters: { selector } }, { clusters })).toMatchObject([{ name: 'Prod_1' }]);
  });

  it('adds values, rendered with the parameters and not with each other', async () => {
    const values = { short: '{{name}}-x', other: '{{values.short}}' };
    const selector = { matchLabels: { env: 'dev' } };
    expect(await run({ clusters: { selector, values } })).toMatchObject([{ 'values.short': 'dev-x', 'values.other': '{{values.short}}' }]);
    const go = { short: '{{ .name }}-{{ .metadata.labels.env }}' };
    expect(await run({ clusters: { selector, values: go } }, { goTemplate: true })).toMatchObject([{ values: { short: 'dev-dev' } }]);
  });

  it('can be one list of all', async () => {
    expect(await run({ clusters: { flatList: true } }, { goTemplate: true })).toMatchObject([
      { clusters: [{ name: 'Prod_1' }, { name: 'dev' }, inCluster] },
    ]);
    const none = { clusters: { flatList: true, selector: { matchLabels: { env: 'none' } } } };
    expect(await run(none, { goTemplate: true })).toEqual([{ clusters: null }]);
  });
});

describe('a selector after a generator', () => {
  const three = list({ env: 'prod', url: 'https://a/b?c' }, { env: 'dev' }, { tier: 'x' });
  const select = (selector: JsonObject) => run({ ...three, selector });

  it.each([
    [{ matchLabels: { env: 'prod' } }, 1],
    [{ matchLabels: { url: 'https://a/b?c' } }, 1],
    [{ matchExpressions: [{ key: 'env', operator: 'In', values: ['prod', 'dev'] }] }, 2],
    [{ matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] }, 2],
    [{ matchExpressions: [{ key: 'env', operator: 'Exists' }] }, 2],
    [{ matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] }, 1],
    [{}, 3],
  ])('%j keeps %i of three', async (selector, count) => expect(await select(selector as JsonObject)).toHaveLength(count));

  it.each([
    [{ matchLabels: { 'path[0]': 'x' } }, /^error parsing label selector: /],
    [{ matchExpressions: [{ key: 'env', operator: 'Gt', values: ['1'] }] }, '"Gt" is not a valid pod selector operator'],
    [{ matchExpressions: [{ key: 'env', operator: 'In' }] }, "for 'in', 'notin' operators, values set can't be empty"],
    [{ matchExpressions: [{ key: 'env', operator: 'Exists', values: ['x'] }] }, 'values set must be empty for exists'],
  ])('%j is refused', async (selector, message) => expect(select(selector as JsonObject)).rejects.toThrow(message));

  it('looks into nested parameters', async () => {
    const selector = { matchLabels: { 'metadata.labels.env': 'prod' } };
    expect(await run({ clusters: {}, selector }, { goTemplate: true })).toMatchObject([{ name: 'Prod_1' }]);
    expect(await run({ ...list({ a: [{ b: 1 }] }), selector: { matchLabels: { 'a.0.b': '1' } } }, { goTemplate: true })).toHaveLength(1);
  });
});

describe('the matrix generator', () => {
  const matrix = (...generators: JsonObject[]): JsonObject => ({ matrix: { generators } });

  it('combines every set of one with every set of the other, in order', async () =>
    expect(await run(matrix(list({ a: '1' }, { a: '2' }), list({ b: 'x' }, { b: 'y' })))).toEqual([
      { a: '1', b: 'x' },
      { a: '1', b: 'y' },
      { a: '2', b: 'x' },
      { a: '2', b: 'y' },
    ]));

  it('gives the parameters of the first to the second', async () => {
    expect(
      await run(matrix(list({ env: 'dev' }, { env: 'prod' }), { clusters: { selector: { matchLabels: { env: '{{env}}' } } } })),
    ).toMatchObject([
      { env: 'dev', name: 'dev' },
      { env: 'prod', name: 'Prod_1' },
    ]);
    const yaml = { list: { elementsYaml: '{{ .items | toYaml }}' } };
    expect(await run(matrix(list({ items: [{ n: 1 }, { n: 2 }] }), yaml), { goTemplate: true })).toMatchObject([{ n: 1 }, { n: 2 }]);
  });

  it('lets the values of the second refer to both', async () => {
    const second = { clusters: { selector: { matchLabels: { env: 'dev' } }, values: { both: '{{ .name }}', first: '{{ .env }}' } } };
    expect(await run(matrix(list({ env: 'e' }), second), { goTemplate: true })).toMatchObject([{ values: { both: 'dev', first: 'e' } }]);
  });

  it('lets the first win with Go templates, and merges what is nested', async () => {
    const pair = matrix(list({ x: { a: 1, only: 1 }, s: 'first', l: [1] }), list({ x: { a: 2, other: 2 }, s: 'second', l: [2, 3] }));
    expect(await run(pair, { goTemplate: true })).toEqual([{ x: { a: 1, only: 1, other: 2 }, s: 'first', l: [1] }]);
  });

  it('filters each child and the whole', async () => {
    const first = { ...list({ a: '1' }, { a: '2' }), selector: { matchLabels: { a: '2' } } };
    expect(await run({ ...matrix(first, list({ b: 'x' }, { b: 'y' })), selector: { matchLabels: { b: 'y' } } })).toEqual([
      { a: '2', b: 'y' },
    ]);
  });

  it('may hold a matrix or a merge, which hold neither', async () => {
    const inner = { matrix: { generators: [list({ b: '1' }), list({ c: '2' })] } };
    expect(await run(matrix(list({ a: '0' }), inner))).toEqual([{ a: '0', b: '1', c: '2' }]);
    const tooDeep = { matrix: { generators: [list({ b: '1' }), inner] } };
    await expect(run(matrix(list({ a: '0' }), tooDeep))).rejects.toThrow('child generator generated no parameters');
  });

  const prefix = 'child generator returned an error on parameter generation: ';
  it.each([
    [matrix(list({})), 'found less than two generators, Matrix support only two'],
    [matrix(list({}), list({}), list({})), 'found more than two generators, Matrix support only two'],
    [matrix({ ...list({}), clusters: {} }, list({})), 'found more than one generator in matrix.Generators'],
    [matrix({}, list({})), 'error failed to get params for first generator in matrix generator: child generator generated no parameters'],
    [matrix(list({ a: '1' }), list({ a: '2' })), 'found duplicate key a with different value, a: 1 ,b: 2'],
    [
      matrix(list({ a: '1' }), list({ n: 1 })),
      `failed to get params for second generator in the matrix generator: ${prefix}error parsing value as string %!w(<nil>)`,
    ],
  ])('refuses %j', async (entry, message) => expect(run(entry)).rejects.toThrow(message));

  it('refuses more sets than anybody can mean', async () => {
    const many = list(...Array.from({ length: 101 }, (_item, n) => ({ [`n`]: String(n) })));
    const other = list(...Array.from({ length: 101 }, (_item, n) => ({ [`m`]: String(n) })));
    await expect(run(matrix(many, other))).rejects.toThrow('the generators yield more than 10000 sets of parameters');
  });

  it.each([true, false])('APPSET-06: refuses sets that are too large together, with Go templates: %s', async (goTemplate) => {
    const large = Object.fromEntries(Array.from({ length: 20_000 }, (_item, n) => [`k${n}`, 'x']));
    const many = list(...Array.from({ length: 5_000 }, (_item, n) => ({ n: String(n) })));
    await expect(run(matrix(list(large), many), { goTemplate })).rejects.toMatchObject({
      code: Code.ResourceExhausted,
      message: expect.stringContaining('the generators yield more than 2000000 values') as string,
    });
  });

  it.each([
    ['what it asks for anew', '{{n}}'],
    ['what it knows already', '{{same}}'],
  ])('ends where the work between the answers takes too long, with %s', async (_what, text) => {
    let nowMs = 0;
    const timers = { ...systemTimers, nowMs: () => nowMs };
    const onRender = (rendered: string): void => void (nowMs += rendered.includes('{{') ? 10 : 0);
    const many = list(...Array.from({ length: 7_000 }, (_, n) => ({ n: `${n}`, same: 'x' })));
    await expect(run(matrix(many, list({ b: text })), { timers, onRender })).rejects.toMatchObject({
      code: Code.ResourceExhausted,
      message: expect.stringContaining('took more than 60 s to render') as string,
    });
    expect(nowMs).toBeLessThan(60_100);
  });
});

describe('the merge generator', () => {
  const merge = (mergeKeys: string[], ...generators: JsonObject[]): JsonObject => ({ merge: { mergeKeys, generators } });

  it('lays later sets over those of the first with the same keys', async () =>
    expect(
      await run(merge(['k'], list({ k: 'a', v: '1' }, { k: 'b', v: '1' }), list({ k: 'b', v: '2', w: '3' }, { k: 'c', v: '4' }))),
    ).toEqual([
      { k: 'a', v: '1' },
      { k: 'b', v: '2', w: '3' },
    ]));

  it('knows flat keys, and merges what is nested with Go templates', async () => {
    const flat = merge(['values.x'], list({ n: '1', values: { x: 'a' } }), list({ m: '2', values: { x: 'a' } }));
    expect(await run(flat)).toEqual([{ n: '1', m: '2', 'values.x': 'a' }]);
    const nested = merge(['k'], list({ k: 1, v: { a: 1, b: 1 } }), list({ k: 1, v: { b: 2 } }));
    expect(await run(nested, { goTemplate: true })).toEqual([{ k: 1, v: { a: 1, b: 2 } }]);
  });

  const first = 'error getting param sets by merge key: the parameters from a generator were not unique by the given mergeKeys';
  it.each([
    [merge(['k'], list({})), 'found less than two generators, Merge requires two or more'],
    [merge([], list({}), list({})), 'no merge keys were specified, Merge requires at least one'],
    [
      merge(['k', 'j'], list({ k: 'a' }, { k: 'a' }), list({})),
      `${first}, Merge requires all param sets to be unique. Duplicate key was {"j":null,"k":"a"}`,
    ],
    [merge(['k'], list({}), list({ n: 1 })), /^error getting param sets from generators: error getting params from generator 2 of 2: /],
  ])('refuses %j', async (entry, message) => expect(run(entry)).rejects.toThrow(message));
});

describe('when generators would like to be asked again', () => {
  const asking = (seconds: number): JsonObject => ({ plugin: { requeueAfterSeconds: seconds } });
  const plugin = {
    generate: () => Promise.resolve([]),
    requeueAfterMs: ({ requeueAfterSeconds = 1_800 }: { readonly requeueAfterSeconds?: number }) => requeueAfterSeconds * 1_000,
  };
  const runner = createGeneratorRunner({ list: listGenerator, plugin });

  it.each<[JsonObject, number | undefined]>([
    [list({}), undefined],
    [asking(60), 60_000],
    [{ plugin: {} }, 1_800_000],
    [asking(0), undefined],
    [{ ...list({}), ...asking(60) }, 60_000],
    [{ matrix: { generators: [list({}), asking(60)] } }, 60_000],
    [{ merge: { generators: [asking(90), { matrix: { generators: [asking(30), asking(0)] } }] } }, 30_000],
    [{ matrix: { generators: [{ matrix: { generators: [{ matrix: { generators: [asking(1)] } }] } }] } }, undefined],
  ])('%j is %s', (entry, afterMs) => expect(runner.requeueAfterMs(entry)).toBe(afterMs));
});

describe('an entry', () => {
  it('with two generators runs both', async () => expect(await run({ ...list({ a: '1' }), clusters: {} })).toHaveLength(4));
});
