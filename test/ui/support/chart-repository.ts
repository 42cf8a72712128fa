/** A Helm repository with one chart in two versions, as a person may come across it. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { startStubServer } from '../../support/stub-server.ts';

export interface ChartRepository {
  readonly url: string;
  /** Puts a version of the chart into a registry on this machine, below `charts`. */
  push(host: string, version: string): Promise<void>;
  close(): Promise<void>;
}

/** `helm` is the program that packs charts; with `authorization`, only who sends it is answered. The chart is called `shop`, with the versions 1.0.0 and 1.1.0 and the value `greeting`. */
export async function startChartRepository(helm: string, authorization?: string): Promise<ChartRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'charts-'));
  const run = promisify(execFile);
  const options = { env: { HOME: folder, PATH: '' } };
  for (const version of ['1.0.0', '1.1.0']) {
    const chart = join(folder, version, 'shop');
    await mkdir(join(chart, 'templates'), { recursive: true });
    await writeFile(join(chart, 'Chart.yaml'), `apiVersion: v2\nname: shop\nversion: ${version}\n`);
    await writeFile(join(chart, 'values.yaml'), 'greeting: hello\n');
    await writeFile(
      join(chart, 'templates', 'map.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata: {greeting: {{ .Values.greeting | quote }}, version: {{ .Chart.Version | quote }}}\n',
    );
    await run(helm, ['package', chart, '--destination', folder], options);
  }
  await run(helm, ['repo', 'index', folder], options);
  const server = await startStubServer((request, response) => {
    if (authorization !== undefined && request.headers.authorization !== authorization) {
      response.writeHead(401).end('who asks?');
      return;
    }
    readFile(join(folder, basename(request.url ?? ''))).then(
      (body) => response.writeHead(200).end(body),
      () => response.writeHead(404).end(),
    );
  });
  return {
    url: server.url,
    async push(host, version) {
      await run(helm, ['push', join(folder, `shop-${version}.tgz`), `oci://${host}/charts`, '--plain-http'], options);
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
