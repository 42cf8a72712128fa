import { describe, expect, it } from 'vitest';
import { Sealed } from '../../settings/index.ts';
import type { LabelledSecret } from '../../settings/index.ts';
import { findAccess } from './find-access.ts';

let names = 0;
function secret(type: LabelledSecret['type'], data: Readonly<Record<string, string>>): LabelledSecret {
  const name = `${type}-${(names += 1)}`;
  const sealed = new Map(Object.entries(data).map(([key, value]) => [key, new Sealed(value)]));
  return { name, type, uid: name, resourceVersion: '1', labels: {}, annotations: {}, data: sealed };
}

function settings(...secrets: LabelledSecret[]) {
  return {
    labelledSecrets: new Map(secrets.map((each) => [each.name, each])),
    tlsCertificates: new Map([['git.example.com', 'PEM']]),
    sshKnownHosts: 'host key',
  };
}

const url = 'https://git.example.com/acme/shop.git';

describe('how a repository is reached', () => {
  it('is as a public one where nothing is configured', () => {
    expect(findAccess(settings(), url, 'default')).toMatchObject({ url, type: 'git', owner: '/', certificateAuthorities: 'PEM' });
    expect(findAccess(settings(), 'oci://git.example.com/x', '').type).toBe('oci');
    expect(findAccess(settings(), 'https://other.example.com:8443/x', '').certificateAuthorities).toBe('');
    expect(findAccess(settings(), 'https://u@git.example.com:8443/x', '').certificateAuthorities).toBe('PEM');
    expect(findAccess(settings(), 'git@git.example.com:x', '')).toMatchObject({ certificateAuthorities: 'PEM', sshKnownHosts: 'host key' });
  });

  it('is what its Secret says, whatever the letters and the ending of its URL', () => {
    const stored = secret('repository', {
      url: 'https://Git.Example.com/Acme/Shop',
      username: 'u',
      password: 'p',
      insecure: 'T',
      depth: '3',
      proxy: 'http://p',
    });
    const access = findAccess(settings(stored), url, 'default');
    expect(access).toMatchObject({ owner: `${stored.name}/`, insecure: true, depth: 3, proxy: 'http://p' });
    expect([access.username?.reveal(), access.password?.reveal()]).toEqual(['u', 'p']);
    expect(JSON.stringify(access)).not.toContain('"p"');
  });

  it("is the project's own before that of everyone, and never that of another project", () => {
    const everyone = secret('repository', { url, password: 'all' });
    const own = secret('repository', { url, project: 'team-a', password: 'a' });
    const both = settings(own, everyone);
    expect(findAccess(both, url, 'team-a').password?.reveal()).toBe('a');
    expect(findAccess(both, url, 'team-b').password?.reveal()).toBe('all');
    expect(findAccess(settings(own), url, 'team-b').password).toBeUndefined();
    expect(findAccess(settings(own), url, '').password).toBeUndefined();
  });

  it('is completed from the template with the longest URL, unless it has credentials', () => {
    const wide = secret('repo-creds', { url: 'https://git.example.com', password: 'wide', proxy: 'http://wide' });
    const narrow = secret('repo-creds', {
      url: 'https://git.example.com/acme',
      username: 'n',
      password: 'narrow',
      forceHttpBasicAuth: 'true',
    });
    const bare = secret('repository', { url, proxy: 'http://own', enableOCI: 'true' });
    const access = findAccess(settings(wide, narrow, bare), url, '');
    expect(access).toMatchObject({ proxy: 'http://own', forceHttpBasicAuth: true, enableOCI: false, owner: `${bare.name}/${narrow.name}` });
    expect(access.password?.reveal()).toBe('narrow');
    expect(findAccess(settings(wide, narrow), 'https://git.example.com/other/x', '').password?.reveal()).toBe('wide');
    const own = secret('repository', { url, password: 'own' });
    expect(findAccess(settings(narrow, own), url, '')).not.toHaveProperty('username');
  });

  it.each([
    'https://git.example.com/team-evil/x',
    'https://git.example.com.evil/team/x',
    'https://git.example.com@evil.example/team/x',
    'https://git.example.com:8443/team/x',
    'http://git.example.com/team/x',
  ])('CRED-08: a template for https://git.example.com/team is not for %s', (other) => {
    const template = secret('repo-creds', { url: 'https://git.example.com/team', password: 'p' });
    expect(findAccess(settings(template), other, '').password).toBeUndefined();
    expect(findAccess(settings(template), 'https://git.example.com/team/x', '').password?.reveal()).toBe('p');
  });

  it('a template without a host, or of another kind of Secret, is never used', () => {
    const templates = [
      secret('repo-creds', { url: '', password: 'p' }),
      secret('repo-creds', { url: 'https://', password: 'p' }),
      secret('repo-write-creds', { url, password: 'p' }),
    ];
    expect(findAccess(settings(...templates), url, '').password).toBeUndefined();
  });

  it('a template for SSH is for both ways to write the URL', () => {
    const template = secret('repo-creds', { url: 'git@git.example.com:acme', sshPrivateKey: 'k' });
    expect(findAccess(settings(template), 'ssh://git@git.example.com/acme/shop', '').sshPrivateKey?.reveal()).toBe('k');
    expect(findAccess(settings(template), 'git@git.example.com:acme/shop.git', '').sshPrivateKey?.reveal()).toBe('k');
  });

  it('says so where a value cannot be read, or a way to sign in is only for git', () => {
    const broken = secret('repository', { url, insecure: 'maybe' });
    expect(() => findAccess(settings(broken), url, '')).toThrow('insecure is not a boolean');
    const app = secret('repository', { url, githubAppPrivateKey: 'k' });
    expect(findAccess(settings(app), url, '').githubAppPrivateKey?.reveal()).toBe('k');
    const chart = secret('repository', { url, type: 'helm', githubAppPrivateKey: 'k' });
    expect(() => findAccess(settings(chart), url, '')).toThrow('of git repositories only');
  });

  it.each(['helm', 'oci'])('has the key or the identity of a cloud, also for repositories of type %s', (type) => {
    const access = (data: Readonly<Record<string, string>>) => findAccess(settings(secret('repository', { url, type, ...data })), url, '');
    expect(access({ gcpServiceAccountKey: '{}' }).gcpServiceAccountKey?.reveal()).toBe('{}');
    expect(access({ useAzureWorkloadIdentity: 'true' })).toMatchObject({ type, useAzureWorkloadIdentity: true });
    const principal = access({
      azureServicePrincipalClientId: 'i',
      azureServicePrincipalTenantId: 't',
      azureServicePrincipalClientSecret: 's',
    });
    expect(principal.azureServicePrincipalClientSecret?.reveal()).toBe('s');
  });
});
