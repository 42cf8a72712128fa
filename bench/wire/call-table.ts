import { loadavg } from 'node:os';
import { median } from '../support/interleave.ts';
import type { LoadRequest, LoadResult } from './load/load.ts';

/** Of what a bare server of the same transport does. */
const GOAL = 0.7;

export interface Contender {
  readonly name: string;
  readonly server: { readonly pid: number; readonly port: number };
  readonly request: LoadRequest;
  readonly results: LoadResult[];
}

/** The first contender is ours, the second the bare server. */
export interface MeasuredCase {
  readonly transport: string;
  readonly call: string;
  readonly contenders: readonly Contender[];
}

export interface Conditions {
  readonly pinned: boolean;
  readonly restMb: number;
  readonly loadedMb: number;
}

export function printCalls(cases: readonly MeasuredCase[], { pinned, restMb, loadedMb }: Conditions): void {
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(`Unary calls on one processor (median of interleaved slots; load average ${load.join(' ')})`);
  if (!pinned) console.log('The servers could not be kept on one processor of their own: the figures are of the whole machine.');
  console.table(cases.flatMap((item) => item.contenders.map((contender) => describeRow(item, contender))));
  const all = cases.flatMap(({ contenders }) => contenders.flatMap(({ results }) => results));
  console.log(
    `The processor time of a server is ${percent(median(all.map(({ serverMs, wallMs }) => serverMs / wallMs)))} of the time, that of the process ` +
      `that asks ${percent(median(all.map(({ generatorMs, wallMs }) => generatorMs / wallMs)))}.`,
  );
  console.log(`Memory of the program: ${restMb.toFixed(0)} MB at rest, ${loadedMb.toFixed(0)} MB after the load.`);
}

function describeRow({ transport, call, contenders }: MeasuredCase, contender: Contender): object {
  const bare = contenders[1]!;
  const { results } = contender;
  const every = bare.results.length / results.length;
  const ratios = results.map((result, turn) => perProcessorSecond(result) / perProcessorSecond(bare.results[turn * every]!));
  const wallRatios = results.map((result, turn) => perSecond(result) / perSecond(bare.results[turn * every]!));
  const ratio = median(ratios);
  const bestRatio = best(results) / best(bare.results);
  return {
    transport,
    call,
    server: contender.name,
    'calls/s': Math.round(median(results.map(perSecond))),
    'per processor s': Math.round(median(results.map(perProcessorSecond))),
    'p50 ms': round(median(results.map(({ p50Ms }) => p50Ms))),
    'p99 ms': round(median(results.map(({ p99Ms }) => p99Ms))),
    'calls/s of bare': round(median(wallRatios)),
    'per processor s of bare': round(ratio),
    'best of bare': round(bestRatio),
    goal: contender === contenders[0] ? (ratio >= GOAL ? `PASS (≥ ${GOAL})` : `below goal (${GOAL})`) : '',
  };
}

function perSecond({ calls, wallMs }: LoadResult): number {
  return (calls * 1000) / wallMs;
}

/** What the server would do if it had its processor for itself: other programs that take a share of it do not count. */
function perProcessorSecond({ calls, wallMs, serverMs }: LoadResult): number {
  return (calls * 1000) / (Number.isNaN(serverMs) ? wallMs : serverMs);
}

/** The mean of the best three slots: what others on the machine disturbed least. */
function best(results: readonly LoadResult[]): number {
  const sorted = results.map(perProcessorSecond).toSorted((a, b) => b - a);
  return sorted.slice(0, 3).reduce((sum, value) => sum + value, 0) / Math.min(3, sorted.length);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
