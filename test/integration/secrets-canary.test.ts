import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methods } from '../../src/contract/index.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { signInAsAdmin, type RestCaller } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

const SERVER = 'https://kubernetes.default.svc';
const canary = (index: number): string => `canary${String(index).padStart(2, '0')}x9f3b7e51`;
const CANARIES = Array.from({ length: 20 }, (_, index) => canary(index));
/** A text as it would be found: plain, encoded once, encoded twice (without what its neighbours change). */
const FORMS = CANARIES.flatMap((text) => {
  const once = Buffer.from(text).toString('base64');
  return [text, once.replace(/=*$/, ''), Buffer.from(once).toString('base64').replace(/=*$/, '')];
});

describe('Twenty secrets', () => {
  let fairway: Fairway;
  let rest: RestCaller;
  let repository: GitRepository;
  const answers: { readonly what: string; readonly text: string }[] = [];

  const ask = async (verb: string, path: string, body?: unknown): Promise<string> => {
    const { text, status } = await rest(verb, path, body);
    answers.push({ what: `${verb} ${path} ${status}`, text });
    return text;
  };

  beforeAll(async () => {
    fairway = await startFairway();
    rest = await signInAsAdmin(fairway);
    const map = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'guarded' }, stringData: { pw: canary(0), other: canary(1) } };
    repository = await createGitRepository({ 'app/secret.json': JSON.stringify(map) });
    await plant();
  }, 60_000);

  afterAll(async () => {
    await fairway.stop();
    await repository.remove();
  });

  /** Puts each where such things are kept; what is written here is not read back through the same door. */
  async function plant(): Promise<void> {
    const secret = (name: string, type: string, stringData: Record<string, string>): Promise<unknown> =>
      rest('POST', '/k8s/api/v1/namespaces/argocd/secrets', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, labels: { 'argocd.argoproj.io/secret-type': type } },
        stringData,
      });
    await secret('repo-one', 'repository', {
      url: 'https://127.0.0.1:1/one.git',
      username: 'user',
      password: canary(2),
      tlsClientCertKey: canary(3),
      bearerToken: canary(4),
    });
    await secret('repo-two', 'repository', { url: 'ssh://git@127.0.0.1:1/two.git', sshPrivateKey: canary(5) });
    await secret('repo-three', 'repository', { url: 'https://127.0.0.1:1/three.git', githubAppID: '1', githubAppPrivateKey: canary(6) });
    await secret('creds', 'repo-creds', { url: 'https://127.0.0.1:1/', password: canary(7), gcpServiceAccountKey: canary(8) });
    const tlsClientConfig = { insecure: true, keyData: Buffer.from(canary(9)).toString('base64') };
    await secret('cluster-one', 'cluster', {
      name: 'far',
      server: 'https://127.0.0.1:1',
      config: JSON.stringify({ bearerToken: canary(10), password: canary(11), username: 'u', tlsClientConfig }),
    });
    await secret('cluster-two', 'cluster', {
      name: 'programs',
      server: 'https://127.0.0.1:2',
      config: JSON.stringify({ execProviderConfig: { command: 'x', env: { TOKEN: canary(12) }, args: [canary(13)] } }),
    });
    const merge = (path: string, body: unknown): Promise<Response> =>
      fetch(`${fairway.url}/k8s${path}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
    const { json } = await rest('POST', '/api/v1/session', { username: 'admin', password: fairway.adminPassword });
    const token = String(json['token']);
    await merge('/api/v1/namespaces/argocd/secrets/argocd-secret', {
      stringData: {
        'oidc.example.clientSecret': canary(14),
        'webhook.github.secret': canary(15),
        'webhook.gitlab.secret': canary(16),
        'accounts.robot.password': canary(17),
      },
    });
    await merge('/api/v1/namespaces/argocd/configmaps/argocd-cm', {
      data: {
        'oidc.config': 'name: Example\nissuer: https://127.0.0.1:1\nclientID: x\nclientSecret: $oidc.example.clientSecret\n',
        'accounts.robot': 'apiKey,login',
        'resource.sensitive.mask.annotations': 'token',
      },
    });
    await rest('POST', '/k8s/api/v1/namespaces/default/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'live', annotations: { token: canary(18), 'argocd.argoproj.io/tracking-id': 'guarded:/Secret:default/live' } },
      stringData: { pw: canary(19) },
    });
  }

  it('SECR-12 are in no answer, no log, no metric, no event and no file', { timeout: 120_000 }, async () => {
    const source = { repoURL: repository.url, path: 'app' };
    const spec = { project: 'default', source, destination: { server: SERVER, namespace: 'default' } };
    await ask('POST', '/api/v1/applications', { metadata: { name: 'guarded' }, spec });
    await ask('POST', '/api/v1/applications/guarded/sync', {});
    await waitUntil(async () => (await rest('GET', '/api/v1/applications/guarded')).text.includes('"phase":"Succeeded"'));
    // Every call that only reads, with names that are there and names that are not.
    const names: Readonly<Record<string, string>> = {
      name: 'guarded',
      applicationName: 'guarded',
      appName: 'guarded',
      'project.metadata.name': 'default',
    };
    for (const { http } of methods)
      for (const { verb, path } of http.filter((binding) => binding.verb.toUpperCase() === 'GET' && !binding.path.includes('/stream/'))) {
        const filled = path.replaceAll(
          /\{([^}=]+)[^}]*\}/g,
          (_, field: string) => names[field] ?? encodeURIComponent('https://127.0.0.1:1'),
        );
        await ask(verb.toUpperCase(), filled);
      }
    const resource = 'namespace=default&version=v1&kind=Secret';
    for (const name of ['guarded', 'live']) {
      await ask('GET', `/api/v1/applications/guarded/resource?${resource}&resourceName=${name}`);
      await ask(
        'POST',
        `/api/v1/applications/guarded/resource?${resource}&resourceName=${name}&patchType=application/merge-patch%2Bjson`,
        '{"data":{"pw":"?"}}',
      );
    }
    for (const refused of [
      ['POST', '/api/v1/repositories', { repo: 'https://127.0.0.1:1/one.git', password: canary(2) }],
      ['PUT', '/api/v1/repositories/https%3A%2F%2F127.0.0.1%3A1%2Fone.git', { repo: 'https://127.0.0.1:1/one.git', password: canary(2) }],
      ['POST', '/api/v1/clusters', { server: 'https://127.0.0.1:1', name: 'far', config: { bearerToken: canary(10) } }],
      ['POST', '/api/v1/clusters/https%3A%2F%2F127.0.0.1%3A1/rotate-auth', {}],
      [
        'POST',
        '/api/v1/applications',
        { metadata: { name: 'x' }, spec: { ...spec, source: { repoURL: 'https://127.0.0.1:1/one.git', path: '.' } } },
      ],
      ['POST', '/api/v1/session', { username: 'robot', password: canary(17) }],
    ] as const) {
      const [verb, path, body] = refused;
      await ask(verb, path, body);
    }
    await ask('GET', '/metrics');
    await ask('GET', '/k8s/api/v1/events');
    await ask('GET', '/k8s/apis/argoproj.io/v1alpha1/applications');
    expect(answers.length).toBeGreaterThan(50);
    // They are where they were put, or it would be no wonder that nothing shows them.
    const shown = answers.map(({ text }) => text).join('\n');
    for (const sign of ['https://127.0.0.1:1/three.git', '"name":"far"', '"name":"programs"', '"name":"Example"', '++++++++'])
      expect(shown).toContain(sign);

    const found = answers.flatMap(({ what, text }) => FORMS.filter((form) => text.includes(form)).map((form) => `${what}: ${form}`));
    expect(found).toEqual([]);
    const logged = fairway.output();
    expect(FORMS.filter((form) => logged.includes(form))).toEqual([]);
    // What git itself holds is in the mirror of the repository, and nowhere else.
    const files = listFiles(fairway.dataDir).filter((file) => !file.includes(`${fairway.dataDir}/sources/`));
    const inFiles = files.flatMap((file) => {
      const content = readFileSync(file, 'latin1');
      return FORMS.filter((form) => content.includes(form)).map((form) => `${file}: ${form}`);
    });
    expect(inFiles).toEqual([]);
  });
});

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}
