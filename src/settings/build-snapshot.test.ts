import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { configMap, secret } from '../../test/support/embedded-home.ts';
import { createLogger } from '../base/index.ts';
import type { KubeObject } from '../objects/index.ts';
import { buildSnapshot, type Built } from './build-snapshot.ts';
import { HomeState } from './home-state.ts';

const partOf = { 'app.kubernetes.io/part-of': 'argocd' };

describe('a snapshot', () => {
  it('has defaults for everything, and says what is not there', () => {
    const { snapshot, warnings } = build();
    expect(snapshot.general).toMatchObject({ url: '', adminEnabled: true, sessionDurationMs: 86_400_000, trackingMethod: 'annotation' });
    expect(snapshot.parameters).toMatchObject({ insecure: false, cookiesMax: 20, contentSecurityPolicy: "frame-ancestors 'self';" });
    expect(snapshot.rbac).toMatchObject({ defaultRole: '', matchMode: 'glob', scopes: ['groups'] });
    expect([...snapshot.accounts.keys()]).toEqual(['admin']);
    expect(warnings.map(({ object }) => object)).toEqual(['argocd-cm', 'argocd-secret']);
  });

  it('reads argocd-cm only with its label, and keeps what it said when the label goes', () => {
    const plain = build(configMap('argocd-cm', { url: 'https://a' }, {}), secret('argocd-secret', {}));
    expect(plain.snapshot.general.url).toBe('');
    expect(plain.warnings).toMatchObject([
      { object: 'argocd-cm', key: '', reason: expect.stringContaining('app.kubernetes.io/part-of: argocd') },
    ]);
    const labelled = build(configMap('argocd-cm', { url: 'https://a', 'admin.enabled': 'false' }), secret('argocd-secret', {}));
    const after = rebuild(labelled, configMap('argocd-cm', { url: 'https://b' }, {}), secret('argocd-secret', {}));
    expect(after.snapshot).toBe(labelled.snapshot);
    const gone = rebuild(labelled, secret('argocd-secret', {}));
    expect(gone.snapshot.accounts.get('admin')?.enabled).toBe(false);
    expect(gone.warnings).toMatchObject([{ object: 'argocd-cm', reason: expect.stringContaining('what was read before stays') }]);
  });

  it('keeps what policies and parameters said when their ConfigMaps go, and says so, until they are back', () => {
    const others = [configMap('argocd-cm', {}), secret('argocd-secret', {})];
    const first = build(
      ...others,
      configMap('argocd-rbac-cm', { 'policy.csv': 'p, role:admin, applications, delete, */*, deny', 'policy.default': 'role:readonly' }),
      configMap('argocd-cmd-params-cm', { 'applicationsetcontroller.policy': 'create-only', 'controller.deletion.budget': '20%' }),
    );
    const gone = rebuild(first, ...others);
    expect(gone.snapshot).toBe(first.snapshot);
    expect(gone.warnings).toEqual(
      ['argocd-rbac-cm', 'argocd-cmd-params-cm'].map((object) => ({
        object,
        key: '',
        reason: 'not there; what was read before stays in force',
      })),
    );
    expect(rebuild(gone, ...others).snapshot).toBe(first.snapshot);
    const back = rebuild(gone, ...others, configMap('argocd-rbac-cm', {}), configMap('argocd-cmd-params-cm', {}));
    expect(back.snapshot).toMatchObject({ policy: '', rbac: { defaultRole: '' }, parameters: { appsetPolicy: '' } });
    expect(back.warnings).toEqual([]);
    expect(rebuild(back, ...others).warnings).toEqual([]);
  });

  it('warns of unknown keys, but neither of those that belong to other processes nor of free ones in the Secret', () => {
    const { warnings } = build(
      configMap('argocd-cm', { urll: 'x', 'accounts.a.b.c': 'login', 'help.download.plan9': 'x' }),
      configMap('argocd-rbac-cm', { 'policy.csv.old': '' }),
      configMap('argocd-cmd-params-cm', { 'redis.server': 'r:6379', 'reposerver.log.level': 'info', 'servr.insecure': 'true' }),
      secret('argocd-secret', { 'dex.github.clientSecret': 'x' }),
    );
    expect(warnings.map(({ object, key }) => `${object} ${key}`)).toEqual([
      'argocd-cm urll',
      'argocd-cm accounts.a.b.c',
      'argocd-cm help.download.plan9',
      'argocd-rbac-cm policy.csv.old',
      'argocd-cmd-params-cm servr.insecure',
    ]);
  });

  it('joins policies in the order of their names', () => {
    const { snapshot } = build(
      configMap('argocd-rbac-cm', {
        'policy.csv': 'g, a, r:a',
        'policy.z.csv': 'g, z, r:z',
        'policy.b.csv': 'g, b, r:b',
        'policy.default': 'role:readonly',
      }),
    );
    expect(snapshot.policy).toBe('g, a, r:a\ng, b, r:b\ng, z, r:z');
  });

  it('RBAC-03: leaves out policy lines that cannot be read, and says which, where nothing is denied', () => {
    const { snapshot, warnings } = build(configMap('argocd-rbac-cm', { 'policy.csv': 'g, a, r:a\np, nonsense\ng, b, r:b' }));
    expect([snapshot.policy, snapshot.policyIncomplete]).toEqual(['g, a, r:a\ng, b, r:b', false]);
    expect(warnings.filter(({ key }) => key === 'policy.csv')).toMatchObject([
      { reason: 'invalid RBAC policy: "p, nonsense" in line 2 is neither p with 6 fields nor g with 3; it is left out' },
    ]);
  });

  it('says when policy lines are missing from the start, so that who decides can be careful', () => {
    const bad = build(configMap('argocd-rbac-cm', { 'policy.csv': 'g, a, r:a', 'policy.deny.csv': 'p, nonsense, deny' }));
    expect([bad.snapshot.policy, bad.snapshot.policyIncomplete]).toEqual(['g, a, r:a', true]);
    const good = rebuild(bad, configMap('argocd-rbac-cm', { 'policy.csv': 'g, a, r:a', 'policy.deny.csv': 'g, b, r:b' }));
    expect(good.snapshot.policyIncomplete).toBe(false);
    const later = rebuild(good, configMap('argocd-rbac-cm', { 'policy.csv': 'g, a, r:a', 'policy.deny.csv': 'p, nonsense, deny' }));
    expect(later.snapshot).toBe(good.snapshot);
  });

  it('joins both forms of customizations; the keys of their own win', () => {
    const { snapshot } = build(
      configMap('argocd-cm', {
        'resource.customizations': 'apps/Deployment: {health.lua: old, health.lua.useOpenLibs: true}\nConfigMap: {health.lua: c}',
        'resource.customizations.health.apps_Deployment': 'new',
        'resource.customizations.ignoreDifferences.all': 'managedFieldsManagers: [m]',
      }),
    );
    expect([...snapshot.resourceOverrides.keys()]).toEqual(['apps/Deployment', 'ConfigMap', '*/*']);
    expect(snapshot.resourceOverrides.get('apps/Deployment')).toMatchObject({ healthLua: 'new', useOpenLibs: true });
    expect(snapshot.resourceOverrides.get('*/*')?.ignoreDifferences?.managedFieldsManagers).toEqual(['m']);
  });

  it('prefers the certificate that is managed from outside', () => {
    const own = secret('argocd-secret', { 'tls.crt': 'own', 'tls.key': 'ownkey' });
    expect(build(own).snapshot.certificate).toMatchObject({ secret: 'argocd-secret', certificate: 'own' });
    const { certificate } = build(own, secret('argocd-server-tls', { 'tls.crt': 'ext', 'tls.key': 'extkey' })).snapshot;
    expect([certificate?.certificate, certificate?.key.reveal()]).toEqual(['ext', 'extkey']);
    expect(build(own, secret('argocd-server-tls', { 'tls.crt': 'ext' })).snapshot.certificate?.certificate).toBe('own');
  });

  it('collects hosts, certificates, keys and labelled Secrets', () => {
    const { snapshot } = build(
      configMap('argocd-ssh-known-hosts-cm', { ssh_known_hosts: 'host ssh-ed25519 AAAA' }),
      configMap('argocd-tls-certs-cm', { 'git.example.com': 'PEM' }),
      configMap('argocd-gpg-keys-cm', { '0123456789ABCDEF': 'KEY' }),
      configMap('unrelated', { a: 'b' }),
      secret('repo-1', { url: 'https://r', password: 'p' }, { 'argocd.argoproj.io/secret-type': 'repository' }),
      secret('other', { url: 'x' }, { 'argocd.argoproj.io/secret-type': 'else' }),
    );
    expect(snapshot.sshKnownHosts).toBe('host ssh-ed25519 AAAA');
    expect(snapshot.tlsCertificates).toEqual(new Map([['git.example.com', 'PEM']]));
    expect(snapshot.gpgKeys).toEqual(new Map([['0123456789ABCDEF', 'KEY']]));
    expect([...snapshot.labelledSecrets.keys()]).toEqual(['repo-1']);
    expect(snapshot.labelledSecrets.get('repo-1')?.data.get('password')?.reveal()).toBe('p');
  });
});

describe('references to secrets', () => {
  const oidc =
    'name: SSO\nissuer: https://i\nclientID: $acme-sso:id\nclientSecret: $oidc.secret\nrequestedScopes: [openid]\nlogoutURL: $acme-sso:none';
  const own = secret('argocd-secret', {
    'oidc.secret': ' s3cret\n',
    'webhook.github.secret': '$acme-sso:hook',
    'webhook.gitlab.secret': 'plain',
  });
  const sso = secret('acme-sso', { id: 'client', hook: 'h00k' }, partOf);

  it('CRED-12: are replaced from argocd-secret and from labelled Secrets; what is not there stays and is warned about by its place', () => {
    const { snapshot, warnings } = build(configMap('argocd-cm', { 'oidc.config': oidc }), own, sso);
    expect(snapshot.oidc).toMatchObject({ name: 'SSO', clientID: 'client', logoutURL: '$acme-sso:none', requestedScopes: ['openid'] });
    expect(snapshot.oidc?.clientSecret.reveal()).toBe('s3cret');
    expect(snapshot.webhooks.github?.reveal()).toBe('h00k');
    expect(snapshot.webhooks.gitlab?.reveal()).toBe('plain');
    expect(warnings).toEqual([
      { object: 'argocd-cm', key: 'oidc.config', reason: 'logoutURL names a secret that is not there, and is taken as it is' },
    ]);
  });

  it('CRED-12: are never shown where what looks like one is a secret itself', () => {
    const planted = '$ecret-that-only-looks-like-a-name';
    const config = oidc.replace('$oidc.secret', planted);
    const hooks = secret('argocd-secret', { 'webhook.github.secret': planted });
    const { snapshot, warnings } = build(configMap('argocd-cm', { 'oidc.config': config }), hooks, sso);
    expect(snapshot.oidc?.clientSecret.reveal()).toBe(planted);
    expect(warnings.map(({ key }) => key)).toEqual(expect.arrayContaining(['oidc.config', 'webhook.github.secret']));
    expect(JSON.stringify([warnings, snapshot])).not.toContain('looks-like');
  });

  it('are not replaced from Secrets without the label', () => {
    const { snapshot } = build(configMap('argocd-cm', { 'oidc.config': oidc }), own, secret('acme-sso', { id: 'client' }));
    expect(snapshot.oidc?.clientID).toBe('$acme-sso:id');
  });

  it('follow the Secret, and change nothing else', () => {
    const first = build(configMap('argocd-cm', { 'oidc.config': oidc }), own, sso);
    const second = rebuild(
      first,
      configMap('argocd-cm', { 'oidc.config': oidc }),
      own,
      secret('acme-sso', { id: 'other', hook: 'h00k' }, partOf),
    );
    expect(second.changes).toEqual([{ part: 'oidc', name: '' }]);
    expect(second.snapshot.oidc?.clientID).toBe('other');
    expect(second.snapshot.webhooks).toBe(first.snapshot.webhooks);
  });

  it('stand for what they stood for while argocd-secret is gone', () => {
    const first = build(configMap('argocd-cm', { 'oidc.config': oidc }), own, sso);
    const gone = rebuild(first, configMap('argocd-cm', { 'oidc.config': oidc }), sso);
    expect(gone.snapshot.oidc).toBe(first.snapshot.oidc);
    expect(gone.snapshot.webhooks).toBe(first.snapshot.webhooks);
    expect(gone.warnings.map(({ object, reason }) => `${object}: ${reason}`)).toEqual([
      'argocd-secret: not there; what was read before stays in force',
      'argocd-cm: logoutURL names a secret that is not there, and is taken as it is',
    ]);
    const again = rebuild(gone, configMap('argocd-cm', { 'oidc.config': oidc }), sso, secret('argocd-secret', { 'oidc.secret': 'other' }));
    expect(again.snapshot.oidc?.clientSecret.reveal()).toBe('other');
  });

  it('reach into connectors and extensions', () => {
    const { snapshot } = build(
      configMap('argocd-cm', {
        'dex.config': 'connectors:\n- {id: g, name: G, type: github, config: {clientSecret: $oidc.secret, orgs: [{name: $acme-sso:id}]}}',
        'extension.config': 'services: [{headers: [{value: $oidc.secret}]}]',
      }),
      own,
      sso,
    );
    expect(snapshot.dex?.connectors).toEqual([{ id: 'g', name: 'G', type: 'github' }]);
    expect(JSON.stringify(snapshot.dex?.config.reveal())).toContain('"clientSecret":"s3cret","orgs":[{"name":"client"}]');
    expect(JSON.stringify(snapshot.extensions.get('')?.reveal())).toContain('s3cret');
  });
});

describe('accounts', () => {
  const hash = '$2a$10$p2D1mQ04igBRj/Z5DUgg7eVjQk.Fd2pranHNeoDhtrtNTF3cJlvgG';

  it('are those that argocd-cm declares, with what argocd-secret knows of them', () => {
    const { snapshot } = build(
      configMap('argocd-cm', {
        'accounts.zoe': 'apiKey, login, fly',
        'accounts.bob': 'login',
        'accounts.bob.enabled': 'false',
        'accounts.admin': 'apiKey',
        'accounts.carl.enabled': 'true',
      }),
      secret('argocd-secret', {
        'accounts.zoe.password': hash,
        'accounts.zoe.passwordMtime': '2024-01-01T00:00:00Z',
        'accounts.zoe.tokens': '[{"id":"t","iat":5}]',
        'accounts.ghost.password': hash,
        'admin.password': hash,
        'admin.tokens': 'null',
      }),
    );
    expect([...snapshot.accounts.keys()]).toEqual(['admin', 'bob', 'carl', 'zoe']);
    expect(snapshot.accounts.get('admin')).toMatchObject({
      enabled: true,
      capabilities: ['login', 'apiKey'],
      passwordMtime: undefined,
      tokens: [],
    });
    expect(snapshot.accounts.get('bob')).toMatchObject({ enabled: false, capabilities: ['login'], passwordHash: undefined });
    expect(snapshot.accounts.get('carl')).toMatchObject({ enabled: true, capabilities: [] });
    expect(snapshot.accounts.get('zoe')).toMatchObject({
      capabilities: ['apiKey', 'login'],
      passwordMtime: 1_704_067_200,
      tokens: [{ id: 't', issuedAt: 5, expiresAt: undefined }],
    });
    expect(snapshot.accounts.get('zoe')?.passwordHash?.reveal()).toBe(hash);
  });

  it('have names like __proto__ without harm', () => {
    const { snapshot } = build(
      configMap(
        'argocd-cm',
        Object.fromEntries([
          ['accounts.__proto__', 'login'],
          ['accounts.constructor', 'login'],
        ]),
      ),
    );
    expect([...snapshot.accounts.keys()]).toEqual(['__proto__', 'admin', 'constructor']);
  });
});

describe('secrets', () => {
  it('show in no log, no JSON and no inspection', () => {
    const secrets = ['s1gningkey-0123456789-0123456789', 'tls-k3y', 'h00k', 'cl13nt', 'd3x', 'r3po', 'ext3nsion', '$2a$10$p2D1'];
    const { snapshot, warnings } = build(
      configMap('argocd-cm', {
        'oidc.config': 'issuer: https://i\nclientID: c\nclientSecret: $cl13nt',
        'dex.config': 'connectors: [{id: a, type: b, name: c, config: {clientSecret: d3x}}]',
        'extension.config': 'services: [{headers: [{value: ext3nsion}]}]',
        'accounts.alice': 'login',
      }),
      secret('argocd-secret', {
        'server.secretkey': 's1gningkey-0123456789-0123456789',
        'tls.crt': 'c',
        'tls.key': 'tls-k3y',
        'webhook.github.secret': 'h00k',
        'webhook.gogs.secret': '$h00k',
        'admin.password': '$2a$10$p2D1mQ04igBRj/Z5DUgg7eVjQk.Fd2pranHNeoDhtrtNTF3cJlvgG',
        'admin.passwordMtime': 'h00k',
        'accounts.alice.tokens': '["h00k"',
      }),
      secret('repo', { password: 'r3po' }, { 'argocd.argoproj.io/secret-type': 'repository' }),
    );
    const lines: string[] = [];
    const log = createLogger({ level: 'debug', format: 'json', write: (line) => void lines.push(line) });
    log.info('all', { snapshot, warnings, general: snapshot.general, oidc: snapshot.oidc, certificate: snapshot.certificate });
    const maps = Object.values(snapshot).filter((part): part is ReadonlyMap<string, unknown> => part instanceof Map);
    const shown = [
      JSON.stringify(snapshot),
      JSON.stringify(maps.map((map) => [...map])),
      JSON.stringify(warnings),
      inspect(snapshot, { depth: 20, showHidden: true, maxArrayLength: 1000 }),
      `${String(snapshot.webhooks.github)}${snapshot.certificate?.key as unknown as string}`,
      lines.join(''),
    ].join('\n');
    for (const one of secrets) expect(shown).not.toContain(one);
    for (const one of secrets) expect(shown).not.toContain(Buffer.from(one).toString('base64').replace(/.?=*$/, ''));
  });
});

describe('identity', () => {
  it('stays for all that did not change', () => {
    const objects = [
      configMap('argocd-cm', { url: 'https://a', 'accounts.a': 'login', 'accounts.b': 'login', 'resource.exclusions': '[{kinds: [A]}]' }),
      configMap('argocd-rbac-cm', { 'policy.csv': 'g, a, b' }),
      secret('argocd-secret', { 'accounts.a.tokens': '[{"id":"t","iat":5}]', 'webhook.github.secret': 'x' }),
      secret('r', { url: 'x' }, { 'argocd.argoproj.io/secret-type': 'repository' }),
    ];
    const first = build(...objects);
    expect(rebuild(first, ...objects).snapshot).toBe(first.snapshot);
    // Written otherwise, but saying the same.
    const restyled = configMap('argocd-cm', {
      url: 'https://a',
      'accounts.a': ' login ',
      'accounts.b': 'login',
      'resource.exclusions': '- kinds:\n  - A',
    });
    expect(rebuild(first, restyled, ...objects.slice(1)).snapshot).toBe(first.snapshot);
    const next = rebuild(
      first,
      configMap('argocd-cm', { url: 'https://b', 'accounts.a': 'login', 'accounts.b': 'apiKey', 'resource.exclusions': '[{kinds: [A]}]' }),
      ...objects.slice(1),
    );
    expect(next.changes).toEqual([
      { part: 'general', name: 'url' },
      { part: 'general', name: 'accountCapabilities' },
      { part: 'accounts', name: 'b' },
    ]);
    expect(next.snapshot.version).toBe(first.snapshot.version + 1);
    expect(next.snapshot.general.resourceExclusions).toBe(first.snapshot.general.resourceExclusions);
    expect(next.snapshot.accounts.get('a')).toBe(first.snapshot.accounts.get('a'));
    for (const part of ['rbac', 'parameters', 'secret', 'webhooks', 'labelledSecrets', 'resourceOverrides', 'extensions'] as const) {
      expect(next.snapshot[part], part).toBe(first.snapshot[part]);
    }
  });

  it('goes with a secret that changes', () => {
    const first = build(secret('argocd-secret', { 'server.secretkey': 'a'.repeat(32), 'tls.crt': 'c', 'tls.key': '1' }));
    const second = rebuild(first, secret('argocd-secret', { 'server.secretkey': 'b'.repeat(32), 'tls.crt': 'c', 'tls.key': '2' }));
    expect(second.changes).toEqual([
      { part: 'secret', name: 'signingKey' },
      { part: 'secret', name: 'tlsKey' },
      { part: 'certificate', name: '' },
    ]);
  });

  it('has nothing in it that can be changed', () => {
    const { snapshot } = build(
      configMap('argocd-cm', { 'resource.links': '[{url: u, title: t}]', 'oidc.config': 'issuer: https://i\nclientID: c' }),
    );
    for (const part of [
      snapshot,
      snapshot.general,
      snapshot.general.resourceLinks,
      snapshot.general.resourceLinks[0],
      snapshot.oidc,
      snapshot.oidc?.azure,
      snapshot.webhooks,
      snapshot.accounts.get('admin'),
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

let version = 0;

function build(...objects: readonly KubeObject[]): Built {
  return buildSnapshot(stateOf(objects), undefined);
}

function rebuild(previous: Built, ...objects: readonly KubeObject[]): Built {
  return buildSnapshot(stateOf(objects), previous);
}

function stateOf(objects: readonly KubeObject[]): HomeState {
  const state = new HomeState();
  for (const object of objects) {
    const known = versions.get(object) ?? String((version += 1));
    versions.set(object, known);
    state.see({ ...object, metadata: { ...object.metadata, uid: object.metadata.name ?? '', resourceVersion: known } });
  }
  return state;
}

const versions = new Map<KubeObject, string>();
