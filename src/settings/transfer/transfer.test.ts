import { assert, dictionary, jsonValue, property, string } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, openEmbeddedHome, secret, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import { applicationType } from '../../model/index.ts';
import { jsonEquals, statusError, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { configMapType, namespaceType, projectType, secretType } from '../home-objects.ts';
import { exportHome } from './export-home.ts';
import { importObjects, type ImportResult } from './import-objects.ts';
import { formatObject, parseObjects } from './object-documents.ts';
import { portableObject } from './portable-object.ts';

const application = (name: string, more: Record<string, unknown> = {}, namespace = 'argocd'): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace, finalizers: ['resources-finalizer.argocd.argoproj.io'] },
  spec: { project: 'default', destination: { server: 'https://kubernetes.default.svc' }, source: { repoURL: 'https://git.example.com/x' } },
  ...(more as object),
});

describe('a portable object', () => {
  it('keeps what describes it, and drops what a place and a moment gave it', () => {
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'argocd-cm',
        namespace: 'argocd',
        uid: 'u',
        resourceVersion: '7',
        generation: 3,
        creationTimestamp: '2024-01-01T00:00:00Z',
        managedFields: [],
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'y' }],
        labels: { a: 'b' },
        annotations: {},
      },
      data: { ['__proto__']: 'kept' },
    } as unknown as KubeObject;
    expect(portableObject(object, 'argocd').metadata).toEqual({ name: 'argocd-cm', labels: { a: 'b' } });
    expect(portableObject(object, 'other').metadata.namespace).toBe('argocd');
    expect(Object.entries(portableObject(object, 'argocd')['data'] as object)).toEqual([['__proto__', 'kept']]);
  });

  it.each([
    ['Running', false],
    ['Terminating', false],
    ['Succeeded', true],
  ])('carries no operation that waits, and none that is %s: %s', (phase, isKept) => {
    const operationState = { phase, startedAt: '2024-01-01T00:00:00Z' };
    const history = [{ id: 1 }];
    const object = application('web', { operation: { sync: {} }, status: { history, operationState } });
    const portable = portableObject(object, 'argocd');
    expect(portable['operation']).toBeUndefined();
    expect(portable['status']).toEqual(isKept ? { history, operationState } : { history });
  });
});

describe('documents', () => {
  it('give back any object, also with words that YAML has its own ideas about', () => {
    const content = dictionary(string({ unit: 'grapheme' }), jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }));
    assert(
      property(content, (value) => {
        const data = JSON.parse(JSON.stringify(value)) as JsonObject;
        const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data };
        expect(parseObjects(formatObject(object).repeat(2)).map((one) => jsonEquals(one as never, object as never))).toEqual([true, true]);
      }),
    );
    for (const word of [
      'yes',
      'off',
      '0777',
      '1e3',
      '12:30:45',
      '2024-01-01',
      '~',
      'null',
      '=',
      '- a',
      '#',
      'a: b',
      '\u0085',
      ' x ',
      '0x1F',
      '.inf',
    ]) {
      const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { [word]: word } };
      expect(parseObjects(formatObject(object))).toEqual([object]);
    }
  });

  it('may be JSON, a List, or empty', () => {
    const object = configMap('argocd-cm', {});
    expect(parseObjects('')).toEqual([]);
    expect(parseObjects('---\n---\n# nothing\n')).toEqual([]);
    expect(parseObjects(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [object, object] }))).toEqual([object, object]);
  });

  it.each([
    ['a: b: c', 'line 1 is not YAML'],
    ['---\nkind: ConfigMap\n---\njust text', 'the document at line 1 has no apiVersion or no kind'],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: {}', 'has no metadata with a name'],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, labels: {a: 1}}', 'has metadata of the wrong types'],
    ['apiVersion: v1\nkind: List\nitems: [1]', 'item 1 of the document at line 1 is no object'],
    [`a: &a [x,x]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nd: [${'*c,'.repeat(50)}]`, 'there are too many aliases'],
  ])('are refused with the place: %j', (text, message) => {
    expect(() => parseObjects(text)).toThrow(message);
  });
});

describe('a home', () => {
  let home: EmbeddedHome;
  let warnings: string[];
  beforeEach(async () => {
    home = await openEmbeddedHome();
    warnings = [];
    for (const name of ['team-a', 'other']) {
      await home.embedded.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  });
  afterEach(() => home.close());

  async function exportAll(secrets: boolean, applicationNamespaces?: readonly string[]): Promise<KubeObject[]> {
    const objects: KubeObject[] = [];
    const warn = (message: string) => void warnings.push(message);
    const options = { api: home.api, namespace: 'argocd', secrets, applicationNamespaces, applicationsetNamespaces: undefined, warn };
    for await (const object of exportHome(options)) objects.push(object);
    return objects;
  }
  async function importAll(objects: readonly KubeObject[], options: { dryRun?: boolean; namespace?: string } = {}) {
    const results: ImportResult[] = [];
    const report = (result: ImportResult) => void results.push(result);
    const allWell = await importObjects(objects, { api: home.api, namespace: 'argocd', dryRun: false, ...options, report });
    return { allWell, results };
  }
  const names = (objects: readonly KubeObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

  async function fill(): Promise<void> {
    await home.embedded.create(
      secretType,
      secret('argocd-secret', { 'server.secretkey': 'planted-key', 'oidc.clientSecret': 'planted-oidc' }),
    );
    const labels = { 'argocd.argoproj.io/secret-type': 'repository' };
    await home.embedded.create(secretType, secret('repo', { url: 'https://git.example.com', password: 'planted-password' }, labels));
    await home.embedded.create(secretType, secret('of-somebody-else', { x: 'planted-foreign' }));
    await home.embedded.create(
      configMapType,
      configMap('argocd-cm', {
        url: 'https://cd.example.com',
        'oidc.config': 'name: SSO\nissuer: https://sso.example.com\nclientID: cd\nclientSecret: $oidc.clientSecret\n',
        'dex.config': 'connectors:\n- type: github\n  id: github\n  config: {clientID: x, clientSecret: planted-dex}\n',
        'extension.config':
          'extensions:\n- name: x\n  backend:\n    services:\n    - url: http://x\n      headers: [{name: Authorization, value: planted-header}]\n',
      }),
    );
    await home.embedded.create(configMapType, configMap('somebodys', {}));
    await home.embedded.create(applicationType, application('web'));
    await home.embedded.create(applicationType, application('team', {}, 'team-a'));
    await home.embedded.create(applicationType, application('foreign', {}, 'other'));
  }

  it('is exported without a secret unless that is asked for', async () => {
    await fill();
    const objects = await exportAll(false);
    expect(names(objects)).toEqual(['ConfigMap argocd-cm', 'Application web']);
    const text = objects.map(formatObject).join('');
    expect(text).not.toContain('planted');
    expect(text).not.toContain(Buffer.from('planted').toString('base64').slice(0, 8));
    expect(text).toContain('clientSecret: $oidc.clientSecret');
    expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(['dex.config', 'extension.config']);
    const whole = (await exportAll(true)).map(formatObject).join('');
    for (const planted of ['planted-dex', 'planted-header']) expect(whole).toContain(planted);
    for (const planted of ['planted-key', 'planted-password']) expect(whole).toContain(Buffer.from(planted).toString('base64'));
    expect(whole).not.toContain('somebody');
  });

  it('is exported with the applications of other namespaces where those may have some', async () => {
    await fill();
    expect(names(await exportAll(false, ['team-*']))).toContain('Application team');
    expect(names(await exportAll(false, ['team-*']))).not.toContain('Application foreign');
    await home.embedded.create(configMapType, configMap('argocd-cmd-params-cm', { 'application.namespaces': '/^oth/' }));
    const objects = await exportAll(false);
    expect(names(objects)).toContain('Application foreign');
    expect(objects.find(({ metadata }) => metadata.name === 'foreign')?.metadata.namespace).toBe('other');
  });

  it('comes back whole under another name, once', async () => {
    await fill();
    const objects = await exportAll(true, ['team-*']);
    const { allWell, results } = await importAll(objects, { namespace: 'second' });
    expect([allWell, new Set(results.map(({ outcome }) => outcome))]).toEqual([true, new Set(['created', 'unchanged'])]);
    expect(results.find(({ outcome }) => outcome === 'unchanged')?.object).toBe('Application team-a/team');
    const copy = await home.embedded.get(secretType, { namespace: 'second', name: 'argocd-secret' });
    expect(copy['data']).toEqual((await home.embedded.get(secretType, { namespace: 'argocd', name: 'argocd-secret' }))['data']);
    const again = await importAll(objects, { namespace: 'second' });
    expect(new Set(again.results.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));
  });

  it('stays as it is in a dry run, which tells what would change', async () => {
    await fill();
    const objects = [configMap('argocd-cm', { url: 'https://other.example.com' }), configMap('argocd-rbac-cm', {}), application('web')];
    home.writes.length = 0;
    const before = home.embedded.resourceVersion;
    const { results } = await importAll(objects, { dryRun: true });
    expect(results).toEqual([
      { object: 'ConfigMap argocd-cm', outcome: 'changed' },
      { object: 'ConfigMap argocd-rbac-cm', outcome: 'created' },
      { object: 'Application web', outcome: 'unchanged' },
    ]);
    expect(home.embedded.resourceVersion).toBe(before);
  });

  it('takes nothing at all where a part does not belong into it', async () => {
    const stranger = configMap('somebodys', {});
    home.writes.length = 0;
    await expect(importAll([configMap('argocd-cm', {}), stranger])).rejects.toThrow(
      'ConfigMap somebodys (v1) is no part of an installation',
    );
    await expect(importAll([{ ...application('x'), apiVersion: 'argoproj.io/v1beta1' }])).rejects.toThrow('no part of an installation');
    expect(home.writes).toEqual([]);
  });

  it('takes the rest where the API refuses a part, and says why', async () => {
    home.disturb = (call) => {
      if (call === 'patch AppProject broken') throw statusError('Forbidden', 'not this one');
    };
    const project = (name: string): KubeObject => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name },
      spec: {},
    });
    const { allWell, results } = await importAll([project('broken'), project('whole')]);
    expect(allWell).toBe(false);
    expect(results).toContainEqual({ object: 'AppProject broken', outcome: 'failed', reason: 'not this one' });
    expect((await home.embedded.get(projectType, { namespace: 'argocd', name: 'whole' })).metadata.name).toBe('whole');
  });
});
