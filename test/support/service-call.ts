import type { Caller } from '../../src/access/index.ts';
import { methods } from '../../src/contract/index.ts';
import type { Call } from '../../src/server/index.ts';

const adminCaller: Caller = {
  username: 'admin',
  issuer: 'argocd',
  groups: [],
  capability: 'login',
  tokenId: 'id',
  issuedAt: 0,
  expiresAt: 100,
};

/** A call of a method by the admin, for tests that call a service without a transport. */
export function createServiceCall(path: string): Call {
  const method = methods.find((other) => other.path === path);
  if (method === undefined) throw new Error(`the contract has no method ${path}`);
  return {
    method,
    caller: adminCaller,
    token: undefined,
    transport: 'grpc',
    signal: new AbortController().signal,
    secure: false,
    remoteAddress: '127.0.0.1',
    setHeader: () => undefined,
    setCookie: () => undefined,
  };
}
