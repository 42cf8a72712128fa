import { startFairway, type Fairway } from '../../test/support/fairway.ts';
import { startChildProgram, type ChildProgram } from '../support/child-program.ts';
import { listProcessors, pinProcess, readResidentMb } from '../support/processors.ts';
import { askOnce } from './ask-once.ts';
import { createCallCases, type CallCase, type Request } from './call-cases.ts';
import { printCalls, type Contender, type MeasuredCase } from './call-table.ts';
import type { LoadOrder, LoadResult } from './load/load.ts';
import type { CapturedReplies, CapturedReply, PeerAddress } from './peers/peer.ts';

/** Long enough that what a processor has to learn again after each change of server does not count. */
const SLOT_MS = 250;
const ROUNDS = 9;
/** Compiling what is hot takes a while, the longer the more others use the machine. */
const WARM_UP_SLOT_MS = 400;
const WARM_UP_ROUNDS = 2;
/** Those that are there for information only have a turn in every third round. */
const OTHERS_EVERY = 3;

type Generator = ChildProgram<LoadOrder, LoadResult>;

interface Peer extends PeerAddress {
  readonly pid: number;
}

/**
 * Calls per second of our whole program beside a bare server of the same transport that sends the same bytes. Each server has
 * one processor, the process that asks the other; the servers take turns in short slots.
 */
export async function measureCalls(): Promise<void> {
  const stops: (() => void | Promise<void>)[] = [];
  try {
    const fairway = await startFairway({ args: ['--log-level', 'warn'] });
    stops.push(() => fairway.stop());
    const generator: Generator = startChildProgram(new URL('load/generator.ts', import.meta.url));
    stops.push(() => generator.stop());
    const restMb = readResidentMb(fairway.pid);
    const cases = createCallCases(await signIn(fairway));
    const startPeer = createPeerStarter(stops);
    const measured = await prepareCases(cases, fairway, startPeer);
    const processors = listProcessors();
    const servers = new Set(measured.flatMap(({ contenders }) => contenders.map(({ server }) => server.pid)));
    const pinned = [...servers].map((pid) => pinProcess(pid, processors.at(-1))).every(Boolean) && pinProcess(generator.pid, processors[0]);
    await runRounds(generator, measured);
    printCalls(measured, { pinned: pinned && processors.length > 1, restMb, loadedMb: readResidentMb(fairway.pid) });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function signIn({ url, adminPassword }: Fairway): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password: adminPassword });
  const response = await fetch(`${url}/api/v1/session`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return ((await response.json()) as { token: string }).token;
}

type StartPeer = (program: URL, args: readonly string[], replies?: CapturedReplies) => Promise<Peer>;

function createPeerStarter(stops: (() => void)[]): StartPeer {
  return async (url, args, replies = {}) => {
    const program: ChildProgram<CapturedReplies, PeerAddress> = startChildProgram(url, args);
    stops.push(() => program.stop());
    return { pid: program.pid, ...(await program.ask(replies)) };
  };
}

async function prepareCases(cases: readonly CallCase[], fairway: Fairway, startPeer: StartPeer): Promise<MeasuredCase[]> {
  const ours = { pid: fairway.pid, port: fairway.port };
  const captured = new Map<CallCase, CapturedReply>();
  for (const item of cases) captured.set(item, await askOnce(item.request, ours.port));
  const repliesOver = (http: 1 | 2): CapturedReplies =>
    Object.fromEntries(cases.filter(({ request }) => request.http === http).map((item) => [item.request.path, captured.get(item)!]));
  const [bare1, bare2, connect1, connect2, grpcJs] = await Promise.all([
    startPeer(new URL('peers/bare-http1.ts', import.meta.url), [], repliesOver(1)),
    startPeer(new URL('peers/bare-http2.ts', import.meta.url), [], repliesOver(2)),
    startPeer(new URL('peers/connect.ts', import.meta.url), ['http1']),
    startPeer(new URL('peers/connect.ts', import.meta.url), ['http2']),
    startPeer(new URL('peers/grpc-js.ts', import.meta.url), []),
  ]);
  return Promise.all(
    cases.map(async (item) => {
      const { request, others } = item;
      const isHttp1 = request.http === 1;
      const peers = { connect: isHttp1 ? connect1 : connect2, 'grpc-js': grpcJs };
      const contenders = [
        { name: 'fairway', server: ours, request },
        { name: isHttp1 ? 'bare node:http' : 'bare node:http2', server: isHttp1 ? bare1 : bare2, request },
        ...others.map(({ name, label, request: own }) => ({ name: label, server: peers[name], request: own })),
      ];
      return { transport: item.transport, call: item.call, contenders: await Promise.all(contenders.map(addAnswer)) };
    }),
  );
}

async function addAnswer(contender: { readonly name: string; readonly server: Peer; readonly request: Request }): Promise<Contender> {
  const { body } = await askOnce(contender.request, contender.server.port);
  return { ...contender, request: { ...contender.request, answer: body }, results: [] };
}

async function runRounds(generator: Generator, cases: readonly MeasuredCase[]): Promise<void> {
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const { contenders } of cases) {
      const taking = round < 0 || round % OTHERS_EVERY === 0 ? contenders : contenders.slice(0, 2);
      // Whoever comes second may find the machine in another state, so the order changes.
      for (const { server, request, results } of round % 2 === 0 ? taking : taking.toReversed()) {
        const result = await generator.ask({ request, ...server, durationMs: round < 0 ? WARM_UP_SLOT_MS : SLOT_MS });
        if (round >= 0) results.push(result);
      }
    }
  }
}
