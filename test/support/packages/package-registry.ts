/** A package registry on the loopback interface, so that tests of installing need no network and may lie. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PublishedPackage {
  manifest: { name: string; version: string; [key: string]: unknown };
  tarball: Buffer;
}

export interface PackageRegistry extends AsyncDisposable {
  url: string;
  /** What was asked for, in order: `/name` or `/-/name.tgz`. */
  requests: string[];
  publish: (published: PublishedPackage) => void;
}

export async function startPackageRegistry(): Promise<PackageRegistry> {
  const packages = new Map<string, PublishedPackage>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    const found = packages.get(path.replace(/^\/(?:-\/)?/, '').replace(/\.tgz$/, ''));
    if (!found) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
    } else if (path.endsWith('.tgz')) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.tarball);
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(describePackage(found, registryUrl())));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: registryUrl(),
    requests,
    publish: (published) => packages.set(published.manifest.name, published),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function registryUrl(): string {
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

/** The integrity of a tarball as locks write it. */
export function integrityOf(tarball: Buffer): string {
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
}

function describePackage({ manifest, tarball }: PublishedPackage, registryUrl: string): unknown {
  const { name, version } = manifest;
  const dist = { tarball: `${registryUrl}/-/${name}.tgz`, integrity: integrityOf(tarball) };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
