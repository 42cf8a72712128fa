import { messageCodec } from '../../src/contract/index.ts';
import { startFairway, type Fairway } from '../../test/support/fairway.ts';
import { startChildProgram, type ChildProgram } from '../support/child-program.ts';
import { median } from '../support/interleave.ts';
import { listProcessors, pinProcess } from '../support/processors.ts';
import { askOnce } from '../wire/ask-once.ts';
import type { LoadOrder, LoadRequest, LoadResult } from '../wire/load/load.ts';

const SLOT_MS = 250;
const ROUNDS = 12;
const WARM_UP_ROUNDS = 4;

/** What it costs to be known: the same call without and with a token, and one that also asks the policy. */
export async function measureAuthentication(): Promise<void> {
  const fairway = await startFairway({ args: ['--log-level', 'warn'] });
  const generator: ChildProgram<LoadOrder, LoadResult> = startChildProgram(new URL('../wire/load/generator.ts', import.meta.url));
  try {
    const processors = listProcessors();
    const pinned = pinProcess(fairway.pid, processors.at(-1)) && pinProcess(generator.pid, processors[0]) && processors.length > 1;
    const token = await signIn(fairway);
    const cases = await Promise.all(
      createRequests(token).map(async ({ name, request }) => {
        const { body } = await askOnce(request, fairway.port);
        return { name, request: { ...request, answer: body }, results: [] as LoadResult[] };
      }),
    );
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      for (const { request, results } of cases) {
        const result = await generator.ask({ request, port: fairway.port, pid: fairway.pid, durationMs: SLOT_MS });
        if (round >= 0) results.push(result);
      }
    }
    const [without = NaN, ...rest] = cases.map(({ results }) => median(results.map(({ calls, serverMs }) => (calls / serverMs) * 1000)));
    console.log(`\nCalls per second of processor time, gRPC${pinned ? '' : ' (not pinned to processors)'}`);
    console.log(`  ${cases[0]!.name.padEnd(34)} ${without.toFixed(0)}`);
    for (const [index, rate] of rest.entries()) {
      console.log(
        `  ${cases[index + 1]!.name.padEnd(34)} ${rate.toFixed(0)}   ${((rate / without) * 100).toFixed(0)} % (goal: 80 % or more)`,
      );
    }
    await measureLogins(fairway);
  } finally {
    generator.stop();
    await fairway.stop();
  }
}

function createRequests(token: string): { readonly name: string; readonly request: Omit<LoadRequest, 'answer'> }[] {
  const question = { resource: 'applications', action: 'get', subresource: 'default/guestbook' };
  const canI = messageCodec('account.CanIRequest').encode(question);
  const grpc = (path: string, message: Uint8Array, ...more: (readonly [string, string])[]): Omit<LoadRequest, 'answer'> => {
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    const headers = [['content-type', 'application/grpc'], ['te', 'trailers'], ['user-agent', 'argocd-client/v3.5.6'], ...more] as const;
    return { http: 2, verb: 'POST', path, headers, body: Buffer.concat([prefix, message]) };
  };
  const version = '/version.VersionService/Version';
  return [
    { name: 'Version, nobody signed in', request: grpc(version, new Uint8Array()) },
    { name: 'Version, signed in (longer answer)', request: grpc(version, new Uint8Array(), ['token', token]) },
    { name: 'CanI, signed in', request: grpc('/account.AccountService/CanI', canI, ['token', token]) },
  ];
}

/** How long others wait while passwords are checked as fast as they can be. */
async function measureLogins({ url, adminPassword }: Fairway): Promise<void> {
  const quiet = await timeCalls(url, () => Promise.resolve());
  const busy = await timeCalls(url, async (signal) => {
    const login = async (): Promise<void> => {
      while (!signal.aborted) await signIn({ url, adminPassword });
    };
    await Promise.all(Array.from({ length: 8 }, login));
  });
  console.log('\nWhat others wait for an answer over REST, one call at a time');
  console.log(`  in quiet                        median ${quiet.p50.toFixed(2)} ms, 99 % ${quiet.p99.toFixed(2)} ms`);
  console.log(
    `  while eight sign in all the time median ${busy.p50.toFixed(2)} ms, 99 % ${busy.p99.toFixed(2)} ms (a password takes about 50 ms)`,
  );
}

async function timeCalls(url: string, beside: (signal: AbortSignal) => Promise<void>): Promise<{ p50: number; p99: number }> {
  const over = new AbortController();
  const running = beside(over.signal);
  const durations: number[] = [];
  for (let count = 0; count < 1_000; count += 1) {
    const startMs = performance.now();
    await (await fetch(`${url}/api/version`)).arrayBuffer();
    durations.push(performance.now() - startMs);
  }
  over.abort();
  await running;
  const sorted = durations.toSorted((one, other) => one - other);
  return { p50: sorted[500]!, p99: sorted[990]! };
}

async function signIn({ url, adminPassword }: Pick<Fairway, 'url' | 'adminPassword'>): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password: adminPassword });
  const response = await fetch(`${url}/api/v1/session`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return ((await response.json()) as { token: string }).token;
}
