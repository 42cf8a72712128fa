import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methods, type MethodSchema } from '../../src/contract/index.ts';
import { callGrpc, callRest, type ContractAnswer } from '../support/contract-call.ts';
import { createGrpcClient, type GrpcClient } from '../support/grpc-client.ts';
import { openEmbeddedScene } from './contract/embedded-scene.ts';
import { readMatrix, type Cell, type Outcome } from './contract/read-matrix.ts';
import { CONTRACT_REQUESTS, type ContractRequest } from './contract/requests.ts';
import { CALLERS, findMethod, type CallerName, type ContractScene } from './contract/scene.ts';
import type { Things } from './contract/things.ts';

/** The word for each code, and the HTTP status that belongs to it. */
const WORDS = new Map<ContractAnswer['code'], readonly [word: Outcome, status: number]>([
  [0, ['yes', 200]],
  [2, ['failed', 500]],
  [3, ['invalid', 400]],
  [5, ['missing', 404]],
  [7, ['denied', 403]],
  [16, ['unauthenticated', 401]],
  ['silent', ['silent', 200]],
]);
/** How long a stream that should say nothing is listened to; it opens after a second. One that should say something has much longer. */
const SILENCE_MS = 4_000;

const matrix = readMatrix();
let scene: ContractScene;
let client: GrpcClient;

beforeAll(async () => {
  scene = await openEmbeddedScene();
  client = createGrpcClient(scene.fairway.address);
}, 120_000);
afterAll(async () => {
  client?.close();
  await scene?.close();
});

describe('the authorisation matrix', () => {
  it('INT-06: has every method of the contract, once, and all callers', () => {
    expect(matrix.rows.map(({ method }) => method)).toEqual(methods.map(({ path }) => path.slice(1)));
    expect(matrix.callers).toEqual(CALLERS);
    expect(Object.keys(CONTRACT_REQUESTS).toSorted()).toEqual(matrix.rows.map(({ method }) => method).toSorted());
  });

  it('lets nobody in without a token, but to sign in and to ask what a client must know before', () => {
    const open = matrix.rows.filter(({ cells }) => cells.get('anonymous')?.present !== 'unauthenticated').map(({ method }) => method);
    expect(open.filter((method) => !/^(?:session\.SessionService|version\.VersionService)\//.test(method))).toEqual([
      'cluster.SettingsService/Get',
    ]);
  });

  it.each(matrix.rows)('$method', { timeout: 180_000 }, async ({ method, cells }) => {
    const wanted = CONTRACT_REQUESTS[method];
    if (wanted === undefined) throw new Error(`there is no request for ${method}`);
    const questions = CALLERS.flatMap((caller) =>
      (['present', 'absent'] as const).flatMap((which) => {
        const expected = cells.get(caller)?.[which];
        return (['REST', 'gRPC'] as const).map((transport) => ({ caller, which, transport, expected }));
      }),
    );
    const found = new Map<string, ContractAnswer>();
    const outcomes: string[] = [];
    const answerOne = async ({ caller, which, transport, expected }: (typeof questions)[number]): Promise<void> => {
      const things = scene.things[which];
      const answer = await ask({ method: findMethod(method), wanted, things, caller, transport, isSilent: expected === 'silent' });
      found.set(`${caller} ${which} ${transport}`, answer);
      const outcome = outcomeOf(answer, wanted, things);
      if (outcome !== expected)
        outcomes.push(`${caller}, ${which}, ${transport}: ${outcome} instead of ${expected}: ${answer.text.slice(0, 200)}`);
      if (wanted.changes !== undefined && answer.code === 0) await scene.restore(wanted.changes);
    };
    // What should be refused changes nothing, and what changes something needs things as they were.
    const isApart = ({ expected }: (typeof questions)[number]): boolean =>
      wanted.changes !== undefined && (expected === 'yes' || expected === 'listed');
    await Promise.all(questions.filter((question) => !isApart(question)).map(answerOne));
    for (const question of questions.filter(isApart)) await answerOne(question);
    expect(outcomes).toEqual([]);
    for (const caller of CALLERS) expectNothingRevealed(caller, cells, found);
  });
});

/** Whom the thing is not for reads the same about one that is there and one that is not. */
function expectNothingRevealed(caller: CallerName, cells: ReadonlyMap<string, Cell>, found: ReadonlyMap<string, ContractAnswer>): void {
  const sees = caller === 'admin' || caller === 'readOnly';
  if (sees || ['yes', 'listed', 'invalid'].includes(cells.get(caller)?.present ?? '')) return;
  for (const transport of ['REST', 'gRPC']) {
    const [present, absent] = ['present', 'absent'].map((which) => found.get(`${caller} ${which} ${transport}`));
    expect({ caller, transport, ...withoutNames(present) }).toEqual({ caller, transport, ...withoutNames(absent) });
  }
}

/** What somebody reads, without what they asked for. Lists of what others have are as long as they are. */
function withoutNames(answer: ContractAnswer | undefined): object {
  const { present, absent } = scene.things;
  const names = [present, absent].flatMap((things) =>
    Object.entries(things).flatMap(([name, value]) => (name === 'project' || name === 'namespace' ? [] : textsIn(value))),
  );
  let text = answer?.text ?? '';
  for (const name of names.toSorted((one, other) => other.length - one.length)) text = text.replaceAll(name, '<name>');
  return { code: answer?.code, status: answer?.status, text };
}

function textsIn(value: string | object): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as Record<string, string>);
}

interface Question {
  readonly method: MethodSchema;
  readonly wanted: ContractRequest;
  readonly things: Things;
  readonly caller: CallerName;
  readonly transport: 'REST' | 'gRPC';
  readonly isSilent: boolean;
}

async function ask({ method, wanted, things, caller, transport, isSilent }: Question): Promise<ContractAnswer> {
  const token = method.path === '/session.SessionService/Delete' && caller === 'admin' ? await scene.signIn() : scene.tokens[caller];
  const options = { token, next: wanted.next, ...(isSilent && { silentAfterMs: SILENCE_MS }) };
  const request = wanted.request(things);
  return transport === 'REST' ? callRest(scene.fairway.url, method, request, options) : callGrpc(client, method, request, options);
}

function outcomeOf({ code, status, text }: ContractAnswer, { listed }: ContractRequest, things: Things): string {
  const [word, wanted] = WORDS.get(code) ?? ([String(code), undefined] as const);
  if (status !== undefined && status !== wanted) return `${word} with HTTP ${status}`;
  if (code !== 0 || listed === undefined) return word;
  return text.includes(listed(things)) ? 'listed' : 'empty';
}
