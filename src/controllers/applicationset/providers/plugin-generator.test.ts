import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openProviderScene, type ProviderScene } from '../../../../test/support/provider-stubs/provider-scene.ts';
import { startProviderStub, type ProviderStub, type StubAnswer } from '../../../../test/support/provider-stubs/provider-stub.ts';
import { createRenderText } from '../templates/render-text.ts';
import { createProviderGenerators, type ProviderOptions } from './index.ts';

let scene: ProviderScene<ProviderOptions>;
let stub: ProviderStub;
let answer: () => StubAnswer = () => ({ body: { output: { parameters: [] } } });
let configured = 0;

beforeAll(async () => {
  scene = await openProviderScene<ProviderOptions>({ createGenerators: createProviderGenerators as never, createRenderText });
  await scene.store('Secret', 'plugin-secret', { token: 'planted-plugin-token\n' });
  await scene.plane.home.embedded.patch(
    { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
    { namespace: 'argocd', name: 'argocd-secret' },
    { type: 'merge', body: { stringData: { 'plugin.token': 'planted-main-token' } } },
  );
});

afterEach(() => stub?.close());
afterAll(() => scene.close());

/** A plugin that is configured like this, and answers like that. */
async function configure(parameters: unknown, data: Record<string, string> = {}): Promise<string> {
  stub = await startProviderStub(() => answer());
  answer = () => ({ body: { output: { parameters } } });
  const name = `plugin-${configured++}`;
  await scene.store('ConfigMap', name, { baseUrl: stub.url, token: '$plugin.token', ...data });
  return name;
}

const ask = (name: string, spec: object = {}, goTemplate = true) =>
  scene.generate('plugin', { configMapRef: { name }, ...spec }, { goTemplate, options: { limits: { attemptsMax: 1 } } });

describe('A plugin', () => {
  it('is asked with the input, and what it gives are the parameters', async () => {
    const name = await configure([{ key: 'a', nested: { list: [1, 'b'], flag: true } }, { key: 'c' }]);
    const input = { parameters: { team: 'x', sizes: [1, 2] } };
    const [first, second] = await ask(name, { input, values: { label: '{{ .key }}-{{ .generator.input.parameters.team }}' } });
    expect(first).toEqual({
      key: 'a',
      nested: { list: [1, 'b'], flag: true },
      generator: { input: { parameters: { team: 'x', sizes: [1, 2] } } },
      values: { label: 'a-x' },
    });
    expect(second).toMatchObject({ key: 'c', values: { label: 'c-x' } });
    const [request] = stub.requests;
    expect([request?.method, request?.url.pathname]).toEqual(['POST', '/api/v1/getparams.execute']);
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer planted-main-token',
      'content-type': 'application/json',
      'user-agent': 'argocd-applicationset',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({ applicationSetName: 'set', input });
  });

  it('gives flat texts where templates are simple', async () => {
    const name = await configure([{ key: 'a', nested: { list: [1, 'b'], flag: true, none: null } }]);
    const [set] = await ask(name, { values: { label: '{{key}}-{{nested.list.1}}' } }, false);
    expect(set).toMatchObject({ key: 'a', 'nested.list.0': '1', 'nested.list.1': 'b', 'nested.flag': 'true', 'values.label': 'a-b' });
  });

  it('may have a Secret of its own, and a key that is not there stands for itself', async () => {
    await ask(await configure([], { token: '$plugin-secret:token' }));
    expect(stub.requests[0]?.headers.authorization).toBe('Bearer planted-plugin-token');
    await stub.close();
    await ask(await configure([], { token: '$plugin-secret:none' }));
    expect(stub.requests[0]?.headers.authorization).toBe('Bearer $none');
  });

  it('is configured, or an error that says what is missing', async () => {
    const prefix = 'error getting plugin from generator: ';
    await expect(ask('absent')).rejects.toThrow(`${prefix}error fetching ConfigMap: configmaps "absent" not found`);
    await expect(ask(await configure([], { baseUrl: '' }))).rejects.toThrow(
      `${prefix}error fetching ConfigMap: baseUrl not found in ConfigMap`,
    );
    await stub.close();
    await expect(ask(await configure([], { token: '' }))).rejects.toThrow(
      `${prefix}error fetching ConfigMap: token not found in ConfigMap`,
    );
    await stub.close();
    await expect(ask(await configure([], { token: 'planted-literal' }))).rejects.toThrow(
      "error fetching Secret token: token is empty, or does not reference a secret key starting with '$'",
    );
    await stub.close();
    await expect(ask(await configure([], { token: '$none:key' }))).rejects.toThrow('error fetching secret argocd/none: ');
    await stub.close();
    await expect(ask(await configure([], { requestTimeout: 'soon' }))).rejects.toThrow('error set requestTimeout : ');
  });

  it('that fails is an error, and that says nothing yields nothing', async () => {
    const name = await configure([]);
    answer = () => ({});
    expect(await ask(name)).toEqual([]);
    answer = () => ({ body: { output: {} } });
    expect(await ask(name)).toEqual([]);
    const refused = async (status: number, body: unknown) => {
      answer = () => ({ status, body });
      return String(await ask(name).catch((error: unknown) => error));
    };
    expect(await refused(500, { message: 'out of luck' })).toContain(
      "error listing params: error get api 'set': API error with status code 500: out of luck",
    );
    expect(await refused(400, { error: 'bad input' })).toContain('API error with status code 400: bad input');
    expect(await refused(403, { message: 'planted-main-token is wrong' })).not.toContain('planted-main-token');
    stub.trouble = () => ({ status: 502, body: 'bad gateway' });
    await expect(ask(name)).rejects.toThrow('API error with status code 502: bad gateway');
    stub.trouble = () => ({ cut: true });
    await expect(ask(name)).rejects.toThrow('error listing params: ');
    stub.trouble = () => ({ hang: true });
    await expect(ask(await configureAgain(name, '1'))).rejects.toThrow('no answer within 1s');
  });

  it.each([
    ['text', '"x"'],
    ['a list of texts', '["x"]'],
    ['a list of nothing', '[null]'],
    ['a number', '7'],
    ['deep', `[${'{"a":'.repeat(500)}1${'}'.repeat(500)}]`],
  ])('APPSET-07: that gives %s for parameters is an error', async (_what, parameters) => {
    const name = await configure([]);
    stub.trouble = () => ({ status: 200, body: `{"output":{"parameters":${parameters}}}` });
    await expect(ask(name)).rejects.toThrow('the provider answers otherwise than documented');
  });

  it('APPSET-07: that gives more values than anybody can mean is an error', async () => {
    const name = await configure([]);
    stub.trouble = () => ({ status: 200, body: `{"output":{"parameters":[{"a":[${'0,'.repeat(2_000_000)}0]}]}}` });
    await expect(ask(name)).rejects.toThrow('the generators yield more than 2000000 values');
  });

  it('APPSET-07: may give scalars of any kind, and names that are taken', async () => {
    const name = await configure([]);
    stub.trouble = () => ({
      status: 200,
      body: '{"output":{"parameters":[{"n":1.5,"b":false,"z":null,"__proto__":{"polluted":1},"generator":"own"}]}}',
    });
    const [typed] = await ask(name);
    expect(typed).toMatchObject({ n: 1.5, b: false, z: null, generator: { input: { parameters: {} } } });
    const [flat] = await ask(name, {}, false);
    expect(flat).toMatchObject({ n: '1.5', b: 'false', z: '<nil>', '__proto__.polluted': '1' });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

/** The same plugin with a time of its own. */
async function configureAgain(name: string, requestTimeout: string): Promise<string> {
  const type = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
  await scene.plane.home.embedded.patch(type, { namespace: 'argocd', name }, { type: 'merge', body: { data: { requestTimeout } } });
  return name;
}
