import { describe, expect, it } from 'vitest';
import { readApplicationSet } from '../../../model/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import { applicationSetFunctions, fromJson, type GoMap } from '../../../template/index.ts';
import { mergeTemplates } from './merge-templates.ts';
import { renderApplication } from './render-application.ts';
import { createRenderText } from './render-text.ts';

const functions = applicationSetFunctions();

function render(template: JsonObject, parameters: JsonObject, spec: JsonObject = {}) {
  const set = readApplicationSet({ apiVersion: '', kind: '', metadata: { name: 'set' }, spec: { template, ...spec } });
  const { goTemplate = false, goTemplateOptions = [] } = set.spec;
  const renderText = createRenderText({ goTemplate, goTemplateOptions, functions });
  return renderApplication(fromJson(parameters) as GoMap, { applicationSet: set, template, renderText });
}

const source = { repoURL: 'https://x', path: 'a' };
const template = (metadata: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata,
  spec: { project: 'p', source, destination: { server: 's' }, ...spec },
});
const go = { goTemplate: true };

describe('a template of applications', () => {
  it('is rendered in every text and every key', () => {
    const made = render(
      template(
        { name: '{{n}}', labels: { '{{k}}': 'v-{{n}}' }, annotations: { a: '{{ n }}' } },
        { source: { ...source, helm: { valuesObject: { '{{k}}': ['{{n}}', 1, { deep: '{{n}}' }], none: null } } } },
      ),
      { n: 'one', k: 'key' },
    );
    expect(made).toMatchObject({
      name: 'one',
      labels: { key: 'v-one' },
      annotations: { a: 'one' },
      spec: { source: { helm: { valuesObject: { key: ['one', 1, { deep: 'one' }] } } } },
    });
    expect(JSON.stringify(made)).not.toContain('none');
  });

  it('keeps what it cannot replace', () =>
    expect(render(template({ name: 'a', annotations: { x: '{{ nope }} {{n}} {{{{n}}}}' } }), { n: 1 }).annotations).toEqual({
      x: '{{ nope }} {{n}} {{{{n}}}}',
    }));

  it('leads to applications that take their resources with them, unless it says otherwise', () => {
    const finalizer = 'resources-finalizer.argocd.argoproj.io';
    const preserve = { syncPolicy: { preserveResourcesOnDeletion: true } };
    expect(render(template({ name: 'a' }), { n: 'x' }).finalizers).toEqual([finalizer]);
    expect(render(template({ name: 'a' }), { n: 'x' }, preserve).finalizers).toEqual([]);
    expect(render(template({ name: 'a', finalizers: ['mine/{{n}}'] }), { n: 'x' }, preserve).finalizers).toEqual(['mine/x']);
  });

  it('stays as it is without any parameter', () => {
    const made = render(template({ name: '{{n}}' }), {});
    expect([made.name, made.finalizers]).toEqual(['{{n}}', []]);
  });

  it('is normalized', () => {
    const made = render(
      template({ name: 'a' }, { project: '', syncPolicy: {}, source: { ...source, helm: {}, directory: { recurse: false } } }),
      {
        n: 'x',
      },
    );
    expect(made.spec).toEqual({ project: 'default', source, destination: { server: 's' } });
  });
});

describe('a Go template of applications', () => {
  it('has functions, conditions and nested parameters', () => {
    const made = render(
      template({ name: '{{ .path.basename | normalize }}', labels: { '{{ .k }}': '{{ if .on }}yes{{ else }}no{{ end }}' } }),
      { path: { basename: 'My_App' }, k: 'on', on: true },
      go,
    );
    expect([made.name, made.labels]).toEqual(['my-app', { on: 'yes' }]);
  });

  it('prints what is missing, or fails where it is told to', () => {
    const lacking = template({ name: 'a-{{ .x }}' });
    expect(render(lacking, { n: 1 }, go).name).toBe('a-<no value>');
    expect(() => render(lacking, { n: 1 }, { ...go, goTemplateOptions: ['missingkey=error'] })).toThrow(
      'failed to execute go template a-{{ .x }}: template: base:1:5: executing "base" at <.x>: map has no entry for key "x"',
    );
  });

  it.each([
    ['{{ .x', /^failed to parse template \{\{ \.x: /],
    ['{{ nope }}', /^failed to parse template .*function "nope" not defined/],
    ['{{ env "HOME" }}', /function "env" not defined/],
    ['{{ .a.b.c }}', /^failed to execute go template .*nil pointer evaluating interface \{\}\.c/],
  ])('that is wrong says so: %s', (name, message) => expect(() => render(template({ name }), { a: { b: null } }, go)).toThrow(message));

  it('with an option that is not known fails', () =>
    expect(() => render(template({ name: 'a' }), { n: 1 }, { ...go, goTemplateOptions: ['nope'] })).toThrow('unrecognized option: nope'));
});

describe('a patch of a template', () => {
  const patched = (templatePatch: string, parameters: JsonObject = { n: 'x', on: true }, spec: JsonObject = go) =>
    render(template({ name: 'a', labels: { keep: '1' } }, { syncPolicy: { syncOptions: ['A=1'] } }), parameters, {
      ...spec,
      templatePatch,
    });

  it('sets what is not text, and what a template could not leave out', () => {
    const patch = `
metadata:
  annotations: {made: "{{ .n }}"}
spec:
  {{- if .on }}
  syncPolicy:
    automated: {prune: {{ .on }}}
  {{- end }}
`;
    expect(patched(patch)).toMatchObject({
      labels: { keep: '1' },
      annotations: { made: 'x' },
      spec: { syncPolicy: { automated: { prune: true }, syncOptions: ['A=1'] } },
    });
    // What is left is `spec:` with nothing in it, which is null, and takes it all away but the project.
    expect(patched(patch, { n: 'x', on: false }).spec).toEqual({ project: 'p', destination: {} });
  });

  it('replaces lists whole, and takes away what is null', () => {
    const made = patched(
      '{"spec": {"syncPolicy": {"syncOptions": ["B=2"]}, "source": {"path": null}}, "metadata": {"labels": {"keep": null}}}',
    );
    expect(made).toMatchObject({ labels: {}, spec: { syncPolicy: { syncOptions: ['B=2'] }, source: { repoURL: 'https://x' } } });
    expect(made.spec.source).not.toHaveProperty('path');
  });

  it('obeys directives', () =>
    expect(patched('spec: {source: {$patch: replace, repoURL: "https://y"}}').spec.source).toEqual({ repoURL: 'https://y' }));

  it('never moves an application to another project', () => expect(patched('spec: {project: admin}').spec.project).toBe('p'));

  it('works without Go templates', () =>
    expect(patched('metadata: {annotations: {made: "{{n}}"}}', { n: 'x' }, {}).annotations).toEqual({ made: 'x' }));

  it.each([
    ['{{ .n', /^error replacing values in templatePatch: failed to parse template/],
    ['a: [', /^error while converting template to json "a: \["/],
    ['- x', /^invalid templatePatch "\["x"\]"/],
    ['spec: {source: 5}', /^invalid templatePatch "\{"spec":\{"source":5\}\}": /],
    ['spec: {syncPolicy: {automated: {prune: "yes"}}}', /^invalid templatePatch /],
  ])('that is wrong says so: %s', (patch, message) => expect(() => patched(patch)).toThrow(message));
});

describe('the template of a generator', () => {
  it('wins over that of the set where it says something', () => {
    const base = {
      metadata: { name: 'a', labels: { x: '1', y: '1' } },
      spec: { project: 'p', n: 1, list: ['a'], on: true, deep: { a: 1 } },
    };
    const over = { metadata: { name: '', labels: { y: '2' } }, spec: { project: 'q', n: 0, list: ['b', 'c'], on: false, deep: { b: 2 } } };
    expect(mergeTemplates(base, over)).toEqual({
      metadata: { name: 'a', labels: { x: '1', y: '2' } },
      spec: { project: 'q', n: 1, list: ['b', 'c'], on: true, deep: { a: 1, b: 2 } },
    });
    expect(mergeTemplates(base, undefined)).toBe(base);
  });
});
