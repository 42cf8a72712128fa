import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methods } from '../../../src/contract/index.ts';
import { createGrpcClient, type GrpcClient } from '../../support/grpc-client.ts';
import { levelOf, type Level } from '../../support/level/process-level.ts';
import { drawRequests, type FuzzRequest } from './fuzz-request.ts';
import { openFuzzScene, type FuzzScene } from './open-fuzz-scene.ts';
import { sendRequest } from './send-request.ts';

/** `npm run soak` asks for 100,000. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 4_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_115);
/** A run among all the other tests ends here, however many requests it has made by then. */
const LIMIT_MS = process.env['FUZZ_REQUESTS'] === undefined ? 40_000 : 60 * 60_000;
const AT_ONCE = 12;
const FINDINGS_MAX = 40;
/** After so many what is gone is put back. */
const ROUND = 2_000;
/** Of all: one in four is asked by nobody, and now and then somebody signs out. */
const UNKNOWN_SHARE_MAX = 0.4;
/** After so many every kind of code has run once, and every cache that fills quickly is full. */
const WARM_UP = 1_000;
/** What requests leave behind on purpose counts, too: objects, sessions, caches. */
const IN_USE_TOLERANCE_MB = 64;
const RESIDENT_TOLERANCE_MB = 160;
const FILES_TOLERANCE = 40;

let scene: FuzzScene;
let client: GrpcClient;
let token: string;

beforeAll(async () => {
  scene = await openFuzzScene();
  client = createGrpcClient(scene.fairway.address);
  token = await scene.issueToken();
}, 120_000);
afterAll(async () => {
  client?.close();
  await scene?.close();
});

describe('every method, over REST and gRPC, asked what nobody would ask', () => {
  it('answers, or says why not', { timeout: LIMIT_MS + 120_000 }, async () => {
    const findings: string[] = [];
    const codes = new Map<string, number>();
    const asked = new Set<string>();
    const requests = drawRequests(methods, scene.things.present, SEED);
    const startedAt = Date.now();
    let left = REQUESTS;
    const ask = async (until: number): Promise<void> => {
      while (left > until && Date.now() - startedAt < LIMIT_MS && findings.length < FINDINGS_MAX) {
        left -= 1;
        const request = requests.next().value;
        const finding = await judge(request, codes).catch((error: unknown) => `${describeRequest(request)}: ${String(error)}`);
        asked.add(`${request.method.path} ${request.transport}`);
        if (finding !== undefined) findings.push(finding);
      }
    };
    const askUntil = (until: number) => Promise.all(Array.from({ length: AT_ONCE }, () => ask(until)));
    await askUntil(Math.max(0, REQUESTS - WARM_UP));
    const warm = await levelOf(scene.fairway);
    while (left > 0 && Date.now() - startedAt < LIMIT_MS && findings.length < FINDINGS_MAX) {
      await scene.mend();
      await askUntil(Math.max(0, left - ROUND));
    }
    const answered = JSON.stringify(Object.fromEntries(codes));
    const now = await levelOf(scene.fairway);
    const told = `fuzzed ${REQUESTS - left} requests in ${Date.now() - startedAt} ms: ${answered}, ${describeLevel(warm)}, then ${describeLevel(now)}`;
    process.stdout.write(`${told}\n`);
    expect(findings).toEqual([]);
    expect(asked.size).toBe(2 * methods.length);
    expect((codes.get('16') ?? 0) / (REQUESTS - left)).toBeLessThan(UNKNOWN_SHARE_MAX);
    await expectAlive();
    await expect.poll(async () => describeRise(warm, await levelOf(scene.fairway)), { timeout: 60_000, interval: 500 }).toBe('');
  });
});

function describeLevel({ inUseMb, memoryMb, files, children }: Level): string {
  return `${inUseMb} MB in use, ${memoryMb} MB resident, ${files} files, ${children} children`;
}

/** In what the program holds more than it may after that; empty when in nothing. */
function describeRise(before: Level, now: Level): string {
  const isRisen =
    now.inUseMb > before.inUseMb + IN_USE_TOLERANCE_MB ||
    now.memoryMb > before.memoryMb + RESIDENT_TOLERANCE_MB ||
    now.files > before.files + FILES_TOLERANCE ||
    now.children > before.children;
  return isRisen ? `${describeLevel(before)}, then ${describeLevel(now)}` : '';
}

/** What is wrong with an answer; undefined where nothing is. */
async function judge(request: FuzzRequest, codes: Map<string, number>): Promise<string | undefined> {
  const answer = await sendRequest({ url: scene.fairway.url, client, token }, request);
  const key = answer === undefined ? 'unwritten' : String(answer.code);
  codes.set(key, (codes.get(key) ?? 0) + 1);
  if (answer === undefined) return undefined;
  const { code, text } = answer;
  // Somebody has signed out, as one of the requests asks.
  if (code === 16 && request.isKnown) token = await scene.issueToken();
  const isUnexplained = (code === 13 || code === 2 || code === 500) && (text === '' || text.includes('internal error'));
  return isUnexplained ? `${describeRequest(request)}: ${code} ${text.slice(0, 300)} ${causeOf(text)}` : undefined;
}

/** What the log says of a failure. */
function causeOf(text: string): string {
  const id = /request id ([\w-]+)/.exec(text)?.[1];
  const lines = scene.fairway.output().split('\n');
  return (id === undefined ? [] : lines.filter((line) => line.includes(id) && line.includes('stack'))).join('\n').slice(0, 1_500);
}

function describeRequest({ method, transport, content }: FuzzRequest): string {
  const value = content.kind === 'bytes' ? Buffer.from(content.value).toString('hex') : JSON.stringify(content.value);
  return `${method.path} over ${transport} with ${value.slice(0, 1_500)}`;
}

async function expectAlive(): Promise<void> {
  const metrics = await (await fetch(`${scene.fairway.url}/metrics`)).text();
  const figure = (name: string): number =>
    metrics
      .split('\n')
      .filter((line) => line.startsWith(name))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  const errors = scene.fairway
    .output()
    .split('\n')
    .filter((line) => /uncaught|unhandled|internal error/i.test(line));
  expect(errors.slice(0, 5)).toEqual([]);
  expect(figure('fairway_internal_errors_total')).toBe(0);
  expect(figure('fairway_uncaught_errors_total')).toBe(0);
  expect((await fetch(`${scene.fairway.url}/healthz`)).status).toBe(200);
}
