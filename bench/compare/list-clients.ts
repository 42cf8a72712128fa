import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureTool } from '../../test/support/tools/ensure-tool.ts';

const LIMIT_MS = 900_000;

/** So many clients list applications, each of which asks again as soon as it has been answered. */
export interface ListOrder {
  readonly transport: 'REST' | 'gRPC';
  readonly clients: number;
  readonly url: string;
  readonly token: string;
  readonly durationMs: number;
  /** So many names every answer must hold. */
  readonly applications: number;
}

export interface ListResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly megabytesPerSecond: number;
  /** All that were asked, those that only warm up among them. */
  readonly calls: number;
}

/** By a program in Go, as the stock client is: one of ours would stop now and then to collect the bodies it has read, and measure that. */
export async function listWithClients(order: ListOrder): Promise<ListResult> {
  const asking = promisify(execFile)(await ensureTool('list-clients'), { timeout: LIMIT_MS });
  asking.child.stdin?.end(JSON.stringify(order));
  return JSON.parse((await asking).stdout) as ListResult;
}
