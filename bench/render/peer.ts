import type { Serializable } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startRepoServer } from '../../test/support/repo-server.ts';
import { startChildProgram } from '../support/child-program.ts';

/** Argo CD's repo server with a cache beside it. */
export interface Peer {
  /** How many objects an application has. */
  render(url: string, path: string, fresh: boolean): Promise<number>;
  /** Of the server and of the programs that it started and that have ended. */
  processorSeconds(): number;
  close(): Promise<void>;
}

export async function startPeer(program: string, tools: { readonly helm: string; readonly kustomize: string }): Promise<Peer> {
  const redis = startChildProgram<Serializable, number>(new URL('redis-stub.ts', import.meta.url));
  const server = await startRepoServer(program, { ...tools, redisPort: await redis.ask('port') });
  return {
    async render(url, path, fresh) {
      const application = path.split('/').at(-1) ?? '';
      return (await server.generate({ url, source: { path }, application, namespace: 'prod', fresh })).length;
    },
    processorSeconds: () => readProcessorSeconds(server.pid),
    async close() {
      await server.close();
      redis.stop();
    },
  };
}

/** Clock ticks are hundredths of a second on every Linux that there is. */
function readProcessorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
