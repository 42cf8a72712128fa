import type { KubeObject } from '../../../../src/objects/index.ts';
import type { CorpusCase } from './corpus-case.ts';

interface PackageAddresses {
  readonly chartsUrl: string;
  readonly registryHost: string;
}

/** Charts of a repository and of a registry, manifests of a registry, and what plugins make. */
export function packageCases({ chartsUrl, registryHost }: PackageAddresses): readonly CorpusCase[] {
  const chart = (name: string, targetRevision: string, more: object = {}): CorpusCase => ({
    name: `chart-${name}`,
    whole: { repoURL: chartsUrl, chart: 'shop', targetRevision, ...more },
  });
  const pulled = (name: string, targetRevision: string): CorpusCase => ({
    name: `registry-chart-${name}`,
    whole: { repoURL: `${registryHost}/charts`, chart: 'shop', targetRevision },
  });
  const unpacked = (name: string, targetRevision: string, path = '.'): CorpusCase => ({
    name: `registry-files-${name}`,
    target: `work-files`,
    whole: { repoURL: `oci://${registryHost}/manifests/web`, targetRevision, path },
  });
  return [
    { ...chart('exact', '1.0.0'), isSmall: true },
    chart('range', '1.x'),
    chart('values', '>=1.0.0', { helm: { valuesObject: { who: 'the corpus' }, releaseName: 'renamed' } }),
    { ...chart('absent', '9.x'), expects: 'Unknown Healthy' },
    {
      name: 'chart-with-values-of-git',
      files: { 'values.yaml': 'who: git\n' },
      sources: (repositoryUrl) => [
        { repoURL: chartsUrl, chart: 'shop', targetRevision: '2.0.0', helm: { valueFiles: ['$git/chart-with-values-of-git/values.yaml'] } },
        { repoURL: repositoryUrl, targetRevision: 'HEAD', ref: 'git' },
      ],
    },
    { ...pulled('exact', '1.1.0'), isSmall: true },
    pulled('range', '1.x'),
    { ...pulled('absent', '7.0.0'), expects: '' },
    { ...unpacked('exact', '1.0.0'), isSmall: true },
    {
      name: 'plugin-named',
      files: { 'any.txt': 'any\n' },
      source: { plugin: { name: 'shout', env: [{ name: 'WORD', value: 'hello' }] } },
      isSmall: true,
    },
    {
      name: 'plugin-found',
      files: { 'found.txt': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: found-by-plugin}\n' },
    },
    { name: 'plugin-absent', files: { 'any.txt': 'any\n' }, source: { plugin: { name: 'nobody' } }, expects: 'Unknown Healthy' },
  ];
}

/** What an installation knows of those servers. */
export function packageRepositories({ chartsUrl, registryHost }: PackageAddresses): KubeObject[] {
  const repository = (name: string, stringData: object): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
      stringData,
    }) as unknown as KubeObject;
  const plain = { insecureOCIForceHttp: 'true' };
  return [
    repository('corpus-charts', { type: 'helm', name: 'charts', url: chartsUrl }),
    repository('corpus-registry', { type: 'helm', name: 'registry', url: `${registryHost}/charts`, enableOCI: 'true', ...plain }),
    repository('corpus-files', { type: 'oci', name: 'files', url: `oci://${registryHost}/manifests/web`, ...plain }),
  ];
}
