import { createHash } from 'node:crypto';
import { makeTarball } from '../../support/make-archive.ts';
import { startStubServer, type StubServer } from '../../support/stub-server.ts';

export interface PackageServer extends Pick<StubServer, 'url' | 'close'> {
  /** Of the one image in the registry. */
  readonly digest: string;
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: packaged}\n';

/** A repository of charts at `/charts` with `shop` 1.0.0, and a registry that has one image, `image:1.0.0`. */
export async function startPackageServer(): Promise<PackageServer> {
  const chart = { apiVersion: 'v2', name: 'shop', version: '1.0.0', description: 'A shop', home: 'https://shop.example.com' };
  const index = { apiVersion: 'v1', entries: { shop: [{ ...chart, urls: ['shop-1.0.0.tgz'] }] } };
  const chartFiles = makeTarball({ 'shop/Chart.yaml': JSON.stringify(chart), 'shop/templates/map.yaml': CONFIG_MAP });
  const layer = makeTarball({ 'map.yaml': CONFIG_MAP });
  const config = Buffer.from('{}');
  const part = (mediaType: string, content: Buffer) => ({ mediaType, digest: digestOf(content), size: content.length });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: part('application/vnd.oci.empty.v1+json', config),
      layers: [part('application/vnd.oci.image.layer.v1.tar+gzip', layer)],
      annotations: { 'org.opencontainers.image.authors': 'Ada' },
    }),
  );
  const digest = digestOf(manifest);
  const pages = new Map<string, Buffer>([
    ['/charts/index.yaml', Buffer.from(JSON.stringify(index))],
    ['/charts/shop-1.0.0.tgz', chartFiles],
    ['/v2/', Buffer.from('{}')],
    ['/v2/image/tags/list', Buffer.from(JSON.stringify({ name: 'image', tags: ['1.0.0'] }))],
    ['/v2/image/manifests/1.0.0', manifest],
    [`/v2/image/manifests/${digest}`, manifest],
    [`/v2/image/blobs/${digestOf(config)}`, config],
    [`/v2/image/blobs/${digestOf(layer)}`, layer],
  ]);
  const server = await startStubServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '');
    const page = pages.get(path);
    if (page === undefined) return void response.writeHead(404).end('{"errors":[]}');
    if (page === manifest) response.setHeader('content-type', MANIFEST).setHeader('docker-content-digest', digest);
    response.setHeader('content-length', page.length);
    response.end(request.method === 'HEAD' ? undefined : page);
  });
  return { url: server.url, close: () => server.close(), digest };
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
