import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appProjectType, type ApplicationSet } from '../../src/model/index.ts';
import { hasCondition, openApplicationSetPlane, templateOf, type ApplicationSetPlane } from '../support/application-set-plane.ts';
import { createGitRepository, type FileChanges } from '../support/git-repository.ts';
import { waitUntil } from '../support/wait-until.ts';

let sets: ApplicationSetPlane;

beforeEach(async () => {
  sets = await openApplicationSetPlane();
});
afterEach(() => sets.close());

const listOf = (...names: readonly string[]) => [{ list: { elements: names.map((name) => ({ name })) } }];
const isFailed = (set: ApplicationSet): boolean => hasCondition(set, 'ErrorOccurred', 'True');
const failure = (set: ApplicationSet): string => set.status?.conditions?.find(({ type }) => type === 'ErrorOccurred')?.message ?? '';

async function addProject(name: string, spec: object): Promise<void> {
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name, namespace: 'argocd' }, spec };
  await sets.plane.home.api.create(appProjectType, object as unknown as Parameters<typeof sets.plane.home.api.create>[1]);
  await waitUntil(() => sets.context.projects.get({ namespace: 'argocd', name }));
}

describe('APPSET-01: a project that comes out of a file', () => {
  it('gives applications no more than that project allows', async () => {
    const repository = await createGitRepository({ 'a.json': '{"project": "locked"}', 'b.json': '{"project": "nope"}' });
    try {
      await addProject('locked', { sourceRepos: ['https://only.example.com/*'], destinations: [{ server: '*', namespace: 'locked' }] });
      sets.plane.startController();
      sets.start();
      const generators = [{ git: { repoURL: repository.url, revision: 'main', files: [{ path: '*.json' }] } }];
      const source = { repoURL: repository.url, path: '.', targetRevision: 'main' };
      const spec = { project: '{{project}}', source, syncPolicy: { automated: {} } };
      await sets.create('files', { generators, template: templateOf('app-{{path.filenameNormalized}}', spec) });
      const set = await sets.waitFor('files', isFailed);
      expect(failure(set)).toBe('application references project nope which does not exist');
      const application = await sets.plane.waitFor('app-a.json', ({ status }) => (status?.conditions ?? []).length > 0);
      expect(application.status?.conditions?.[0]).toMatchObject({ type: 'InvalidSpecError' });
      expect(application.status?.operationState).toBeUndefined();
      expect(sets.names()).toEqual(['app-a.json']);
    } finally {
      await repository.remove();
    }
  });
});

describe('APPSET-03: generators that yield what cannot be', () => {
  it('makes nothing of more applications than anybody can mean, and touches none that there are', async () => {
    sets.start();
    await sets.create('many', { generators: listOf('a', 'b'), template: templateOf('{{name}}') });
    await sets.waitFor('many', ({ status }) => status?.resourcesCount === 2);
    const list = (key: string) => ({ list: { elements: Array.from({ length: 101 }, (_item, index) => ({ [key]: `${index}` })) } });
    sets.plane.takeRequests();
    await sets.patch('many', { spec: { generators: [{ matrix: { generators: [list('name'), list('other')] } }] } });
    expect(failure(await sets.waitFor('many', isFailed))).toBe('the generators yield more than 10000 sets of parameters');
    const writes = sets.plane.takeRequests().filter((call) => /^(create|update|patch|delete) Application /.test(call));
    expect([writes, sets.names()]).toEqual([[], ['a', 'b']]);
  });

  it('does not make and take the same application again and again', async () => {
    sets.start();
    await sets.create('twice', { generators: listOf('a', 'b'), template: templateOf('{{name}}') });
    await sets.waitFor('twice', ({ status }) => status?.resourcesCount === 2);
    await sets.patch('twice', { spec: { generators: listOf('a', 'a', 'b', 'Bad Name') } });
    const refused = (set: ApplicationSet): boolean => failure(set).includes('Bad Name');
    await sets.waitFor('twice', refused);
    const before = sets.applications().map(({ metadata }) => metadata.uid);
    sets.plane.takeRequests();
    for (const note of ['1', '2', '3']) {
      await sets.patch('twice', { metadata: { annotations: { note } } });
      await waitUntil(() => sets.plane.takeRequests().includes('create Application Bad Name'));
    }
    const after = sets.applications();
    expect(after.map(({ metadata }) => metadata.uid)).toEqual(before);
    expect(after.every(({ metadata }) => !metadata.deletionTimestamp)).toBe(true);
  });
});

describe('APPSET-05: templates that would not end', () => {
  it.each([
    ['loops', '{{ range $i := until 100000000 }}{{ range until 100000000 }}x{{ end }}{{ end }}'],
    ['recurses', '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}'],
    ['allocates', '{{ repeat 2000000000 "x" }}'],
    ['reads the environment', '{{ env "HOME" }}'],
    ['asks for names', '{{ getHostByName "example.com" }}'],
    ['reads files', '{{ .Files.Get "/etc/passwd" }}{{ readFile "/etc/passwd" }}'],
  ])('that %s only makes the set fail', async (_what, text) => {
    sets.start();
    await sets.create('kept', { generators: listOf('a'), template: templateOf('{{name}}') });
    await sets.waitFor('kept', ({ status }) => status?.resourcesCount === 1);
    await sets.patch('kept', { spec: { goTemplate: true, template: { metadata: { name: '{{ .name }}', annotations: { text } } } } });
    const set = await sets.waitFor('kept', isFailed);
    expect(set.status?.conditions?.[0]?.reason).toBe('RenderTemplateParamsError');
    expect(failure(set)).not.toContain('/root');
    expect(sets.names()).toEqual(['a']);
  });

  it('lets others have their turn while many are rendered', async () => {
    sets.start();
    const elements = Array.from({ length: 300 }, (_item, index) => ({ name: `busy-${index}` }));
    const work = '{{ range until 20000 }}{{ end }}';
    const spec = {
      goTemplate: true,
      generators: [{ list: { elements } }],
      template: templateOf('{{ .name }}', {}, { annotations: { work } }),
    };
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await sets.create('busy', spec);
    await sets.waitFor('busy', ({ status }) => (status?.resourcesCount ?? 0) === 300 || (status?.conditions ?? []).length > 0);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('APPSET-06: files that are not what they seem', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`),
  ].join('\n');

  const wide = `a: &a [${'0,'.repeat(100)}]\nb: &b [${'*a,'.repeat(100)}]\nc: [${'*b,'.repeat(40)}]\n`;
  const wideFiles = Object.fromEntries(Array.from({ length: 5 }, (_item, index) => [`wide-${index}.json`, wide]));

  it.each<[string, FileChanges, RegExp]>([
    ['small files that make many values together', wideFiles, /more than 2000000 values/],
    ['a link out of the repository', { 'x.json': { link: '../../../../etc/passwd' } }, /symlink/],
    ['a link to a device', { 'x.json': { link: '/dev/zero' } }, /symlink/],
    ['a huge file', { 'x.json': `{"a": "${'x'.repeat(2 << 20)}"}` }, /larger than/],
    ['bytes that are no text', { 'x.json': new Uint8Array([0, 1, 2, 255, 254, 0]) }, /unable to parse file/],
    ['a bomb of aliases', { 'x.json': bomb }, /unable to parse file/],
    ['endless depth', { 'x.json': '['.repeat(50_000) }, /unable to parse file/],
    ['a number', { 'x.json': '5' }, /unable to parse file/],
  ])('%s only makes the set fail, and deletes nothing', async (_what, changes, message) => {
    const repository = await createGitRepository({ 'ok.json': '{"size": "1"}' });
    try {
      sets.start();
      const generators = [{ git: { repoURL: repository.url, revision: 'main', files: [{ path: '*.json' }] } }];
      await sets.create('files', { generators, template: templateOf('app-{{path.filenameNormalized}}') });
      await sets.waitFor('files', ({ status }) => status?.resourcesCount === 1);
      await repository.commit(changes);
      await sets.patch('files', { metadata: { annotations: { 'argocd.argoproj.io/application-set-refresh': 'true' } } });
      const set = await sets.waitFor('files', isFailed);
      expect(failure(set)).toMatch(/^error generating params from git: /);
      expect(failure(set)).toMatch(message);
      expect(failure(set).length).toBeLessThan(2_000);
      expect(sets.names()).toEqual(['app-ok.json']);
    } finally {
      await repository.remove();
    }
  });
});
