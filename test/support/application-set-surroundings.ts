/** What manifests of application sets refer to: hosts of repositories, a plugin, clusters, a resource that decides. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManifests, tokenSecret, type ManifestSurroundings, type SetManifest } from './application-set-manifests.ts';
import type { Stage } from './argocd-stage.ts';
import { startAzureDevOpsStub } from './provider-stubs/azure-devops-stub.ts';
import { startBitbucketCloudStub } from './provider-stubs/bitbucket-cloud-stub.ts';
import { startBitbucketServerStub } from './provider-stubs/bitbucket-server-stub.ts';
import { checkAwsSignature } from './provider-stubs/check-aws-signature.ts';
import { startCodeCommitStub } from './provider-stubs/code-commit-stub.ts';
import { startGiteaStub } from './provider-stubs/gitea-stub.ts';
import { startGithubStub } from './provider-stubs/github-stub.ts';
import { startGitlabStub } from './provider-stubs/gitlab-stub.ts';
import { startProviderStub } from './provider-stubs/provider-stub.ts';
import { world } from './provider-stubs/stub-world.ts';
import { waitUntil } from './wait-until.ts';

const pluginToken = 'as-plugin-token';

/** Answers with as many parameters as are wanted. */
const startPlugin = () =>
  startProviderStub(({ method, path, headers, body }) => {
    if (method !== 'POST' || path.join('/') !== 'api/v1/getparams.execute') return undefined;
    if (headers.authorization !== `Bearer ${pluginToken}`) return { status: 403, body: { message: 'no' } };
    const { input } = JSON.parse(body) as { readonly input: { readonly parameters: { readonly wanted: readonly string[] } } };
    return { body: { output: { parameters: input.parameters.wanted.map((key) => ({ key })) } } };
  });

/** Hosts of repositories, and a plugin: there before the program is, which is told in its environment where some of them are. */
export interface Hosts {
  readonly urls: ManifestSurroundings['hosts'];
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const awsKeys = { 'as-aws-key': 'as-aws-secret' };

export async function startHosts(): Promise<Hosts> {
  const folder = await mkdtemp(join(tmpdir(), 'application-set-hosts-'));
  const [[keyId, secret] = ['', '']] = Object.entries(awsKeys);
  const credentials = join(folder, 'credentials');
  await writeFile(credentials, `[as-team]\naws_access_key_id = ${keyId}\naws_secret_access_key = ${secret}\nregion = eu-west-1\n`);
  const stubs = {
    github: await startGithubStub(world),
    gitlab: await startGitlabStub(world),
    gitea: await startGiteaStub(world),
    bitbucketServer: await startBitbucketServerStub(world),
    bitbucketCloud: await startBitbucketCloudStub(world),
    azure: await startAzureDevOpsStub(world),
    plugin: await startPlugin(),
    aws: await startCodeCommitStub(world, { checkSignature: (request) => checkAwsSignature(request, awsKeys, Date.now()) }),
  };
  return {
    urls: Object.fromEntries(Object.entries(stubs).map(([key, { url }]) => [key, url])) as ManifestSurroundings['hosts'],
    environment: {
      BITBUCKET_API_BASE_URL: `${stubs.bitbucketCloud.url}/2.0`,
      AWS_ENDPOINT_URL: stubs.aws.url,
      AWS_SHARED_CREDENTIALS_FILE: credentials,
      AWS_PROFILE: 'as-team',
    },
    async close() {
      await Promise.all(Object.values(stubs).map((stub) => stub.close()));
      await rm(folder, { recursive: true });
    },
  };
}

export interface Surroundings {
  readonly manifests: readonly SetManifest[];
  /** The objects that the sets are, for `kubectl apply`. */
  readonly objects: readonly object[];
  close(): Promise<void>;
}

export async function openSurroundings(stage: Stage, { urls: hosts }: Hosts): Promise<Surroundings> {
  const { controlNamespace, repository, repositoryUrl } = stage.parts;
  await repository.commit({
    'apps/web/x.json': '{}',
    'apps/api/x.json': '{}',
    'env/dev/config.json': '{"size": "small", "deep": {"n": 1}}',
    'env/prod/config.json': '{"size": "large", "deep": {"n": 2}}',
  });
  await stage.apply([decisionKind]);
  await waitUntil(async () => (await stage.parts.kubectl('get', 'aschoices.test.fairway.dev', '--namespace', controlNamespace)).code === 0);
  await stage.apply(surroundingObjects(controlNamespace, hosts.plugin));
  const manifests = createManifests({ controlNamespace, repositoryUrl, hosts });
  return {
    manifests,
    objects: manifests.map(({ name, spec }) => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name, namespace: controlNamespace },
      spec,
    })),
    async close() {
      await stage.parts.kubectl('delete', 'crd', 'aschoices.test.fairway.dev', '--wait=false');
    },
  };
}

/** Without a subresource for its status, so that it can be written at once. */
const decisionKind = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'aschoices.test.fairway.dev' },
  spec: {
    group: 'test.fairway.dev',
    scope: 'Namespaced',
    names: { kind: 'AsChoice', plural: 'aschoices' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
        },
      },
    ],
  },
};

function surroundingObjects(namespace: string, plugin: string): readonly object[] {
  const secret = (name: string, stringData: object, labels: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels },
    stringData,
  });
  const configMap = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
  const cluster = (name: string, side: string) =>
    secret(
      `cluster-${name}`,
      { name, server: `https://${name}.invalid`, config: '{}' },
      { 'argocd.argoproj.io/secret-type': 'cluster', 'as-side': side },
    );
  return [
    secret(tokenSecret.secretName, { [tokenSecret.key]: world.token }, { 'argocd.argoproj.io/secret-type': 'scm-creds' }),
    secret('as-plugin-secret', { token: pluginToken }, { 'app.kubernetes.io/part-of': 'argocd' }),
    configMap('as-plugin', { baseUrl: plugin, token: '$as-plugin-secret:token' }),
    configMap('as-decision', { apiVersion: 'test.fairway.dev/v1', kind: 'aschoices', statusListKey: 'decisions', matchKey: 'clusterName' }),
    {
      apiVersion: 'test.fairway.dev/v1',
      kind: 'AsChoice',
      metadata: { name: 'as-choice', namespace },
      status: {
        decisions: [
          { clusterName: 'as-west', score: 7 },
          { clusterName: 'not-known', score: 1 },
        ],
      },
    },
    cluster('as-east', 'left'),
    cluster('as-west', 'right'),
  ];
}
