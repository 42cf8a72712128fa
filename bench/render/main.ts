/**
 * What rendering costs: a monorepo of 1,000 applications from nothing, again, and after a commit that touches ten of them; and one
 * branch among 50,000 refs.
 */
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Serializable } from 'node:child_process';
import { openTestSources, type TestSources } from '../../test/support/sources.ts';
import { ensureTool } from '../../test/support/tools/ensure-tool.ts';
import { startChildProgram } from '../support/child-program.ts';
import { createMonorepo, type Monorepo } from './monorepo.ts';
import { measureCrowd } from './crowd.ts';
import { readUsedResources } from './used-resources.ts';

const APPLICATIONS = Number(process.env['BENCH_APPLICATIONS'] ?? 1000);
const TOUCHED = 10;
/** About what a controller has under way at once. */
const AT_ONCE = 16;

const tools = { searchPath: process.env['PATH'] ?? '', helm: await ensureTool('helm'), kustomize: await ensureTool('kustomize') };
const monorepo = await createMonorepo(APPLICATIONS);
const server = startChildProgram<Serializable, string | number>(new URL('git-server.ts', import.meta.url), [dirname(monorepo.folder)]);
const url = `${await server.ask('url')}/${basename(monorepo.folder)}/.git`;
const test = await openTestSources({ tools });
try {
  const rows: Record<string, Record<string, number>> = {};
  rows['cold'] = await measure('once');
  rows['warm'] = await measure('once');
  await touchSome(0);
  rows[`after a commit that touches ${TOUCHED}, found by polling`] = await measure('once');
  await touchSome(1);
  rows['after another one, each application refreshed by a webhook'] = await measure('each');
  console.log(`\n${APPLICATIONS} applications in one repository`);
  console.table(rows);
  console.log('\nOne branch among 50,000 refs');
  console.table(await measureCrowd(test));
} finally {
  await test.close();
  server.stop();
  await rm(monorepo.folder, { recursive: true, force: true });
}

async function touchSome(first: number): Promise<void> {
  const step = Math.floor(APPLICATIONS / TOUCHED) + 1;
  const chosen = Array.from({ length: TOUCHED }, (_, index) => monorepo.paths[(first + index * step) % APPLICATIONS] ?? '');
  await monorepo.touch(chosen);
}

/** Every application as a controller asks for it. By polling the server is asked once for all; a refresh asks anew for each. */
async function renderAll({ sources }: TestSources, { paths }: Monorepo, asks: 'once' | 'each'): Promise<number> {
  if (asks === 'once') await sources.resolve({ repoURL: url }, { project: 'default', fresh: true });
  const waiting = [...paths];
  let objects = 0;
  const work = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const source = { repoURL: url, path };
      const { revision } = await sources.resolve(source, { project: 'default', fresh: asks === 'each' });
      const application = { name: basename(path), namespace: 'argocd', project: 'default' };
      const rendered = await sources.render({ source, revision, application, destinationNamespace: 'prod' });
      objects += rendered.objects.length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return objects;
}

async function measure(asks: 'once' | 'each'): Promise<Record<string, number>> {
  const before = readUsedResources();
  const requests = Number(await server.ask('requests'));
  const start = performance.now();
  const objects = await renderAll(test, monorepo, asks);
  const seconds = (performance.now() - start) / 1000;
  const after = readUsedResources();
  const round = (value: number): number => Math.round(value * 100) / 100;
  return {
    seconds: round(seconds),
    'processor seconds': round(after.processorSeconds - before.processorSeconds),
    'requests to git': Number(await server.ask('requests')) - requests,
    processes: after.processes - before.processes,
    objects,
  };
}
