import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { callerWith, signInAsAdmin, type RestAnswer, type RestCaller } from '../support/rest-caller.ts';

/** Whatever has this in it must never come out again. */
const PLANTED = 'planted-secret';
const BASE64 = Buffer.from(PLANTED).toString('base64').replaceAll('=', '');

describe('credentials, from outside', () => {
  let fairway: Fairway;
  let rest: RestCaller;
  let repository: GitRepository;
  let server: GitHttpServer;
  let url: string;

  beforeAll(async () => {
    repository = await createGitRepository({ 'a.yaml': configMap('a') });
    const authorization = `Basic ${Buffer.from(`robot:${PLANTED}`).toString('base64')}`;
    server = await startGitHttpServer({ root: dirname(repository.folder), authorization });
    url = `${server.url}/${basename(repository.folder)}/.git`;
    // Everything that can be logged is.
    fairway = await startFairway({ args: ['--log-level', 'debug'] });
    rest = await signInAsAdmin(fairway);
  }, 120_000);
  afterAll(async () => {
    await fairway.stop();
    await server.close();
    await repository.remove();
  });

  function expectNothing(...answers: readonly RestAnswer[]): void {
    for (const { text } of answers) {
      expect(text).not.toContain(PLANTED);
      expect(text).not.toContain(BASE64);
    }
  }

  it('CRED-01: no answer about a repository or template carries a credential', async () => {
    const secrets = {
      username: 'robot',
      password: PLANTED,
      bearerToken: '',
      sshPrivateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${PLANTED}\n-----END OPENSSH PRIVATE KEY-----`,
      tlsClientCertKey: PLANTED,
      githubAppPrivateKey: PLANTED,
      gcpServiceAccountKey: PLANTED,
      azureServicePrincipalClientSecret: PLANTED,
    };
    const place = `/api/v1/repositories/${encodeURIComponent(url)}`;
    const answers = [
      await rest('POST', '/api/v1/repositories', { repo: url, ...secrets }),
      await rest('POST', '/api/v1/repositories', { repo: url, ...secrets, name: 'other' }),
      await rest('POST', '/api/v1/repositories?upsert=true', { repo: url, ...secrets, name: 'other' }),
      await rest('GET', '/api/v1/repositories'),
      await rest('GET', '/api/v1/repositories?forceRefresh=true'),
      await rest('GET', place),
      await rest('PUT', place, { repo: url, ...secrets, name: 'third' }),
      await rest('POST', `${place}/validate?username=robot&password=${PLANTED}x`, url),
      await rest('GET', `${place}/refs`),
      await rest('POST', '/api/v1/repocreds', { url: server.url, ...secrets }),
      await rest('POST', '/api/v1/repocreds', { url: server.url, ...secrets, password: `${PLANTED}2` }),
      await rest('GET', '/api/v1/repocreds'),
      await rest('PUT', `/api/v1/repocreds/${encodeURIComponent(server.url)}`, { url: server.url, ...secrets }),
      await rest('GET', '/api/v1/write-repocreds'),
      await rest('DELETE', `/api/v1/repocreds/${encodeURIComponent(server.url)}`),
    ];
    expectNothing(...answers);
    expect(answers[4]?.json).toMatchObject({ items: [{ repo: url, name: 'other' }] });
    // Who may see a repository need not know who reads it.
    expect(answers[5]?.json).not.toHaveProperty('username');
  });

  it('CRED-02 SSRF-04: no answer about a cluster carries a credential, and registering one starts no program', async () => {
    const config = { bearerToken: PLANTED, username: PLANTED, password: PLANTED, tlsClientConfig: { insecure: true, keyData: BASE64 } };
    const cluster = { server: 'https://127.0.0.1:1', name: 'planted', config, annotations: { note: 'kept' } };
    const place = `/api/v1/clusters/${encodeURIComponent(cluster.server)}`;
    const marked = { ...cluster, annotations: { 'kubectl.kubernetes.io/last-applied-configuration': PLANTED } };
    const refused = await rest('POST', '/api/v1/clusters?upsert=true', marked);
    expect(refused.status).toBe(400);
    const answers = [
      refused,
      await rest('POST', '/api/v1/clusters', cluster),
      await rest('GET', '/api/v1/clusters'),
      await rest('GET', place),
      await rest('PUT', place, { ...cluster, labels: { a: 'b' } }),
      await rest('POST', `${place}/invalidate-cache`, {}),
    ];
    expectNothing(...answers);
    const exec = { execProviderConfig: { command: '/bin/sh', args: ['-c', `echo ${PLANTED}`], env: { KEY: PLANTED }, apiVersion: 'v1' } };
    const programs = await rest('POST', '/api/v1/clusters', { server: 'https://127.0.0.1:2', name: 'exec', config: exec });
    const tried = await rest('GET', `/api/v1/clusters/${encodeURIComponent('https://127.0.0.1:2')}`);
    expectNothing(programs, tried);
    const internal = await rest('POST', '/api/v1/clusters', { server: 'file:///etc/passwd', name: 'file', config: {} });
    expect(internal.status).toBe(400);
    const nobody = callerWith(fairway, 'no token');
    expect((await nobody('POST', '/api/v1/clusters', cluster)).status).toBe(401);
  });

  it('CRED-13: nothing of a request that carries a secret is logged, however much is', async () => {
    await rest('POST', '/api/v1/session', { username: 'admin', password: PLANTED });
    await rest('PUT', '/api/v1/account/password', { name: 'admin', currentPassword: PLANTED, newPassword: `${PLANTED}-new` });
    await rest('POST', '/api/v1/gpgkeys', { keyData: PLANTED });
    await rest('POST', '/api/v1/certificates', { items: [{ serverName: 'h.example.com', certType: 'https', certData: BASE64 }] });
    await expect.poll(() => fairway.output()).toContain('sign-in refused');
    expect(fairway.output()).not.toContain(PLANTED);
    expect(fairway.output()).not.toContain(BASE64);
  });

  it('CRED-15: a token in an address is no token, and is not logged', async () => {
    const { json } = await callerWith(fairway, '')('POST', '/api/v1/session', { username: 'admin', password: fairway.adminPassword });
    const token = String(json['token']);
    for (const query of [`token=${token}`, `access_token=${token}`, `argocd.token=${token}`, `Authorization=Bearer%20${token}`]) {
      const answer = await fetch(`${fairway.url}/api/v1/account?${query}`, { headers: { referer: `${fairway.url}/?${query}` } });
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain(token);
    }
    expect(fairway.output()).not.toContain(token);
    expect((await callerWith(fairway, token)('GET', '/api/v1/account')).status).toBe(200);
  });
});
