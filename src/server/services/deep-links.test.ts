import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../base/index.ts';
import { maskSecret } from '../../engine/index.ts';
import type { Application, AppProject } from '../../model/index.ts';
import type { DeepLink } from '../../settings/index.ts';
import type { ApplicationServiceOptions } from './application/application-context.ts';
import { listApplicationLinks } from './application/links.ts';
import { listLinks } from './deep-links.ts';

const link = (url: string, condition?: string): DeepLink => ({
  title: 'Go',
  url,
  description: undefined,
  'icon.class': undefined,
  if: condition,
});
const application: Application = {
  metadata: { name: 'web', annotations: { evil: 'javascript:alert(1)', 'argocd.argoproj.io/managed-by-url': 'https://hub.example' } },
  spec: { project: 'shop', destination: { namespace: 'prod' } },
};
const project: AppProject = {
  metadata: { name: 'shop' },
  spec: {},
  status: { jwtTokensByRole: { ci: { items: [{ iat: 1, id: 'canary' }] } } },
};
const urlsOf = (links: readonly DeepLink[], context: Parameters<typeof listLinks>[1]): string[] =>
  (listLinks(links, context).items ?? []).map(({ url }) => url);

describe('Links', () => {
  it('are nothing where none are set', () => {
    expect(listLinks([], { application })).toEqual({});
  });

  it('are made of templates, with all that is shown of them', () => {
    const full = { ...link('https://x/{{ .app.metadata.name | upper }}'), description: 'Logs', 'icon.class': 'fa-book' };
    expect(listLinks([full], { application })).toEqual({
      items: [{ title: 'Go', url: 'https://x/WEB', description: 'Logs', iconClass: 'fa-book' }],
    });
  });

  it('are shown where their condition holds', () => {
    const links = [
      link('https://x/1', 'app.metadata.name == "web"'),
      link('https://x/2', 'application.spec.project in ["other"]'),
      link('https://x/3', 'app.spec.nothing'),
      link('https://x/4', 'managedByURL startsWith "https://hub"'),
    ];
    expect(urlsOf(links, { application })).toEqual(['https://x/1', 'https://x/4']);
  });

  it('lead to this server where an application does not say who looks after it', () => {
    const links = [link('{{ .managedByURL }}/x')];
    const { 'argocd.argoproj.io/managed-by-url': _hub, ...annotations } = application.metadata.annotations ?? {};
    const own = { ...application, metadata: { ...application.metadata, annotations } };
    const general = { applicationLinks: links, url: 'https://cd.example' };
    const resolve = (): never => {
      throw new ApiError(Code.NotFound, 'there is no such cluster');
    };
    const context = { settings: { current: { general } }, clusters: { resolve } } as unknown as ApplicationServiceOptions;
    expect(listApplicationLinks(context, own).items).toMatchObject([{ url: 'https://cd.example/x' }]);
    expect(listApplicationLinks(context, application).items).toMatchObject([{ url: 'https://hub.example/x' }]);
  });

  it('that are broken do not take the others with them', () => {
    const links = [link('{{ .app'), link('https://x', 'app ==='), link('{{ fail "x" }}'), link('{{ nothing }}'), link('https://good')];
    expect(urlsOf(links, { application })).toEqual(['https://good']);
  });

  it('run nothing in the page that shows them', () => {
    expect(urlsOf([link('{{ .app.metadata.annotations.evil }}'), link(' JavaScript:x'), link('https://good')], { application })).toEqual([
      'https://good',
    ]);
  });

  it('know of a project what it says, and not its tokens', () => {
    expect(urlsOf([link('https://x/{{ .project.metadata.name }}{{ .project.status }}')], { project })).toEqual([
      'https://x/shop<no value>',
    ]);
  });

  it('SECR-09 see a Secret as it is shown to people', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'pw' },
      data: { pw: 'Y2FuYXJ5' },
      stringData: { other: 'canary' },
    };
    const shown = urlsOf([link('https://x/{{ .resource.data.pw }}/{{ .resource | toJson }}')], {
      application,
      resource: maskSecret(secret),
    });
    expect(shown).toHaveLength(1);
    expect(shown.join()).toContain('++++++++');
    expect(shown.join()).not.toMatch(/canary|Y2FuYXJ5/);
  });

  it('JQ-04 cannot run for ever, or read files and the environment', () => {
    const links = [
      link('{{ range $i := until 100000 }}{{ range $j := until 100000 }}x{{ end }}{{ end }}'),
      link('{{ env "HOME" }}'),
      link('{{ expandenv "$HOME" }}'),
      link('{{ getHostByName "localhost" }}'),
      link('https://x', 'map(1..100000, {map(1..100000, {1})}) == []'),
    ];
    const startedMs = performance.now();
    expect(urlsOf(links, { application })).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });
});
