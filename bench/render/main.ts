/**
 * What rendering costs: a monorepo of 1,000 applications from nothing, again, and after commits that touch ten of them, beside Argo CD's
 * repo server on the same repository; and one branch among 50,000 refs.
 */
import type { Serializable } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { openTestSources } from '../../test/support/sources.ts';
import { ensureTool } from '../../test/support/tools/ensure-tool.ts';
import { startChildProgram } from '../support/child-program.ts';
import { measureCrowd } from './crowd.ts';
import { createMonorepo } from './monorepo.ts';
import { startPeer } from './peer.ts';
import { readUsedResources } from './used-resources.ts';

const APPLICATIONS = Number(process.env['BENCH_APPLICATIONS'] ?? 1000);
const TOUCHED = 10;
/** About what a controller has under way at once. */
const AT_ONCE = 16;

interface Contender {
  readonly name: string;
  /** How many objects an application has; `fresh` asks the git server anew for the revision. */
  render(path: string, fresh: boolean): Promise<number>;
  processorSeconds(): number;
  /** Started so far, where that can be told. */
  processes(): number;
}

const programs = { helm: await ensureTool('helm'), kustomize: await ensureTool('kustomize') };
const repoServer = await ensureTool('repo-server');
const monorepo = await createMonorepo(APPLICATIONS);
const git = startChildProgram<Serializable, string | number>(new URL('git-server.ts', import.meta.url), [dirname(monorepo.folder)]);
const url = `${await git.ask('url')}/${basename(monorepo.folder)}/.git`;
const tools = { searchPath: process.env['PATH'] ?? '', ...programs };
const first = await openTestSources({ tools });
let test = first;
const peer = await startPeer(repoServer, programs);

const contenders: readonly Contender[] = [
  {
    name: 'Fairway',
    async render(path, fresh) {
      const source = { repoURL: url, path, targetRevision: 'main' };
      const { revision } = await test.sources.resolve(source, { project: 'default', fresh });
      const application = { name: basename(path), namespace: 'argocd', project: 'default' };
      return (await test.sources.render({ source, revision, application, destinationNamespace: 'prod' })).objects.length;
    },
    processorSeconds: () => readUsedResources().processorSeconds,
    processes: () => readUsedResources().processes,
  },
  {
    name: "Argo CD's repo server",
    render: (path, fresh) => peer.render(url, path, fresh),
    processorSeconds: () => peer.processorSeconds(),
    processes: () => Number.NaN,
  },
];

try {
  console.log(`${APPLICATIONS} applications in one repository, ${AT_ONCE} at once`);
  await compare('cold', 'once');
  await compare('warm', 'once');
  // A new start finds what is on disk, and nothing in memory.
  test = await openTestSources({ tools, folder: first.folder });
  console.log('\nafter a restart of ours');
  for (const contender of contenders.slice(0, 1)) console.table({ [contender.name]: await measure(contender, 'once') });
  await touchSome(0);
  await compare(`after a commit that touches ${TOUCHED}, found by polling`, 'once');
  await touchSome(1);
  await compare('after another one, each application refreshed by a webhook', 'each');
  console.log('\nOne branch among 50,000 refs');
  console.table(await measureCrowd(test));
} finally {
  await test.close();
  await first.close();
  await peer.close();
  git.stop();
  await rm(monorepo.folder, { recursive: true, force: true });
}

async function touchSome(first: number): Promise<void> {
  const step = Math.floor(APPLICATIONS / TOUCHED) + 1;
  const chosen = Array.from({ length: TOUCHED }, (_, index) => monorepo.paths[(first + index * step) % APPLICATIONS] ?? '');
  await monorepo.touch(chosen);
}

async function compare(title: string, asks: 'once' | 'each'): Promise<void> {
  const rows: Record<string, Record<string, number>> = {};
  for (const contender of contenders) rows[contender.name] = await measure(contender, asks);
  const [ours, theirs] = contenders.map(({ name }) => rows[name]?.['processor seconds'] ?? Number.NaN);
  console.log(`\n${title}: ${((theirs ?? 0) / (ours ?? 1)).toFixed(1)} times cheaper in processor seconds than the peer`);
  console.table(rows);
}

async function measure(contender: Contender, asks: 'once' | 'each'): Promise<Record<string, number>> {
  const requests = Number(await git.ask('requests'));
  const processes = contender.processes();
  const processorSeconds = contender.processorSeconds();
  const start = performance.now();
  const objects = await renderAll(contender, asks);
  const round = (value: number): number => Math.round(value * 100) / 100;
  return {
    seconds: round((performance.now() - start) / 1000),
    'processor seconds': round(contender.processorSeconds() - processorSeconds),
    'requests to git': Number(await git.ask('requests')) - requests,
    processes: contender.processes() - processes,
    objects,
  };
}

/** Every application as a controller asks for it. By polling the git server is asked once for all; a refresh asks anew for each. */
async function renderAll(contender: Contender, asks: 'once' | 'each'): Promise<number> {
  const waiting = [...monorepo.paths];
  let objects = 0;
  if (asks === 'once') objects += await contender.render(waiting.pop() ?? '', true);
  const work = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const found = await contender.render(path, asks === 'each');
      objects += found;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return objects;
}
