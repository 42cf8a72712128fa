import { makeTarball } from '../make-archive.ts';
import { startOciRegistry } from '../oci-registry.ts';
import { startPluginServers } from '../plugin-server.ts';
import { startStubServer } from '../stub-server.ts';
import { ensureTool } from '../tools/ensure-tool.ts';

/** What the corpus takes from elsewhere than its git repository. */
export interface CorpusServers {
  /** A repository of charts, with `shop` in three versions. */
  readonly chartsUrl: string;
  /** A registry, as `host:port`: the chart `charts/shop`, and `manifests/web` with plain manifests. */
  readonly registryHost: string;
  /** For application sets that ask a plugin. */
  readonly generatorUrl: string;
  /** Where the sockets of the plugins `shout` and `found` are. */
  readonly pluginSockets: string;
  close(): Promise<void>;
}

const VERSIONS = ['1.0.0', '1.1.0', '2.0.0'];
const TEMPLATE = [
  'apiVersion: v1',
  'kind: ConfigMap',
  'metadata: {name: "{{ .Release.Name }}-shop", labels: {chart: "{{ .Chart.Name }}-{{ .Chart.Version }}"}}',
  'data: {who: {{ .Values.who | quote }}}',
  '',
].join('\n');
const CHART_LAYER = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
const CHART_CONFIG = 'application/vnd.cncf.helm.config.v1+json';
const FILES_LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';

export async function startCorpusServers(): Promise<CorpusServers> {
  await using stack = new AsyncDisposableStack();
  const charts = await startStubServer((request, response) => {
    const version = /^\/shop-(.*)\.tgz$/.exec(request.url ?? '')?.[1];
    if (request.url === '/index.yaml') response.end(JSON.stringify(index()));
    else if (version !== undefined && VERSIONS.includes(version)) response.end(packChart(version));
    else response.writeHead(404).end();
  });
  stack.defer(() => charts.close());
  const registry = await startOciRegistry();
  stack.defer(() => registry.close());
  for (const version of VERSIONS) {
    const layers = [{ mediaType: CHART_LAYER, content: packChart(version) }];
    await registry.push('charts/shop', version, { layers, configType: CHART_CONFIG });
    const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-registry}\ndata: {version: "${version}"}\n`;
    const content = makeTarball({ 'map.yaml': manifest });
    await registry.push('manifests/web', version, { layers: [{ mediaType: FILES_LAYER, content }] });
  }
  const generator = await startStubServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ output: { parameters: [{ name: 'a' }, { name: 'b' }] } }));
  });
  stack.defer(() => generator.close());
  const plugins = await startPluginServers(await ensureTool('cmp-server'), [
    { name: 'shout', spec: { generate: { command: ['sh', '-c', SHOUT] } } },
    { name: 'found', spec: { discover: { fileName: './found.txt' }, generate: { command: ['sh', '-c', 'cat found.txt'] } } },
  ]);
  stack.defer(() => plugins.close());
  const opened = stack.move();
  return {
    chartsUrl: charts.url,
    registryHost: registry.host,
    generatorUrl: generator.url,
    pluginSockets: plugins.socketFolder,
    close: () => opened.disposeAsync(),
  };
}

/** Tells what it was given. */
const SHOUT = `printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s-shouted"},"data":{"word":"%s","namespace":"%s"}}' \
"$ARGOCD_APP_NAME" "$ARGOCD_ENV_WORD" "$ARGOCD_APP_NAMESPACE"`;

function index(): object {
  const entries = VERSIONS.map((version) => ({ apiVersion: 'v2', name: 'shop', version, urls: [`shop-${version}.tgz`] }));
  return { apiVersion: 'v1', entries: { shop: entries }, generated: '2026-01-01T00:00:00Z' };
}

function packChart(version: string): Buffer {
  return makeTarball({
    'shop/Chart.yaml': `apiVersion: v2\nname: shop\nversion: ${version}\n`,
    'shop/values.yaml': 'who: chart\n',
    'shop/templates/map.yaml': TEMPLATE,
  });
}
