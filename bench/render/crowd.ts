import { appendFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { startGitHttpServer } from '../../test/support/git-http-server.ts';
import { configMap, createGitRepository } from '../../test/support/git-repository.ts';
import type { TestSources } from '../../test/support/sources.ts';

const REFS = 50_000;
const ROUNDS = 15;

/** How long it takes to ask what one branch is among very many, and how much is transferred for it. */
export async function measureCrowd({ sources }: TestSources): Promise<Record<string, number>> {
  const repository = await createGitRepository({ 'a.yaml': configMap('a') });
  const commit = await repository.git('rev-parse', 'HEAD');
  const lines = Array.from({ length: REFS }, (_, index) => `${commit} refs/heads/crowd/${index}\n`);
  await appendFile(
    join(repository.folder, '.git', 'packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${lines.sort().join('')}`,
  );
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  try {
    const repoURL = `${server.url}/${basename(repository.folder)}/.git`;
    const times: number[] = [];
    const sent = server.bytesSent();
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      await sources.resolve({ repoURL, targetRevision: 'crowd/777' }, { project: 'default', fresh: true });
      times.push(performance.now() - start);
    }
    times.sort((one, other) => one - other);
    const round = (value: number): number => Math.round(value);
    return {
      'median ms': round(times[Math.floor(ROUNDS / 2)] ?? 0),
      'worst ms': round(times.at(-1) ?? 0),
      'bytes sent by the server': round((server.bytesSent() - sent) / ROUNDS),
    };
  } finally {
    await server.close();
    await rm(repository.folder, { recursive: true, force: true });
  }
}
