import { expect, it } from 'vitest';
import type { Caller } from '../../access/index.ts';
import { ApiError, Code, createLogger } from '../../base/index.ts';
import type { HttpReply } from '../http.ts';
import { auditRoutes } from './audit-routes.ts';

const caller = { username: 'ada', issuer: 'argocd', tokenId: 'id', issuedAt: 0 } as Caller;

async function ask(answer: () => Promise<HttpReply>, token = 'a.good.one') {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  const authenticate = async (given: string | undefined) => {
    if (given !== 'a.good.one') throw new ApiError(Code.Unauthenticated, 'invalid session');
    return caller;
  };
  const [route] = auditRoutes([{ path: '/api/fairway/v1/folders', verbs: ['GET'], handler: answer }], { authenticate, log });
  const outcome = await route!
    .handler({
      verb: 'GET',
      path: '/api/fairway/v1/folders',
      query: 'appName=web&repo=https%3A%2F%2Fbob%3Ap%40ss%40git.example%2Fx',
      headers: { authorization: `Bearer ${token}` },
      remoteAddress: '127.0.0.1',
      secure: false,
      signal: new AbortController().signal,
      readBody: async () => Buffer.alloc(0),
    })
    .catch((error: unknown) => error);
  return { outcome, lines };
}

it('AUD-01: records who was denied a route of our own, and answers as before', async () => {
  const refusal = new ApiError(Code.PermissionDenied, 'permission denied');
  const { outcome, lines } = await ask(() => Promise.reject(refusal));
  expect(outcome).toBe(refusal);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      message: 'audit',
      user: 'ada',
      call: 'GET /api/fairway/v1/folders',
      decision: 'denied',
      target: { repo: 'https://git.example/x' },
      transport: 'rest',
      security: 2,
    },
  ]);
  expect(lines.join('')).not.toContain('ss@');
  const gone = await ask(() => Promise.reject(refusal), 'a.bad.one');
  expect([gone.outcome, gone.lines.length]).toEqual([refusal, 1]);
});

it('records nothing of what is answered or fails', async () => {
  const reply = { status: 200 };
  expect(await ask(() => Promise.resolve(reply))).toEqual({ outcome: reply, lines: [] });
  const failure = new ApiError(Code.Unavailable, 'later');
  expect(await ask(() => Promise.reject(failure))).toEqual({ outcome: failure, lines: [] });
});
