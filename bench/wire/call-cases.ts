import { messageCodec } from '../../src/contract/index.ts';
import type { LoadRequest } from './load/load.ts';

/** A request that still lacks what its answer must be. */
export type Request = Omit<LoadRequest, 'answer'>;

export interface CallCase {
  readonly transport: 'gRPC' | 'gRPC-Web' | 'REST';
  readonly call: string;
  readonly request: Request;
  /** Servers that have a method of the same name, and how they are asked. */
  readonly others: readonly { readonly name: 'connect' | 'grpc-js'; readonly label: string; readonly request: Request }[];
}

const USER_AGENT = ['user-agent', 'argocd-client/v3.5.6'] as const;
const VERSION_PATH = '/version.VersionService/Version';

/** A public call without parameters, and one that needs a token and has some, over each transport. */
export function createCallCases(token: string): CallCase[] {
  const question = { resource: 'applications', action: 'get', subresource: 'default/guestbook' };
  const canI = frameMessage(messageCodec('account.CanIRequest').encode(question));
  const empty = frameMessage(new Uint8Array());
  const json = { http: 1, verb: 'POST', path: VERSION_PATH, headers: [USER_AGENT, ['content-type', 'application/json']] } as const;
  return [
    {
      transport: 'gRPC',
      call: 'Version',
      request: grpc(VERSION_PATH, empty),
      others: [
        { name: 'connect', label: 'connect-node', request: grpc(VERSION_PATH, empty) },
        { name: 'grpc-js', label: 'grpc-js', request: grpc(VERSION_PATH, empty) },
      ],
    },
    { transport: 'gRPC', call: 'CanI', request: grpc('/account.AccountService/CanI', canI, ['token', token]), others: [] },
    {
      transport: 'gRPC-Web',
      call: 'Version',
      request: grpcWeb(VERSION_PATH, empty),
      others: [{ name: 'connect', label: 'connect-node', request: grpcWeb(VERSION_PATH, empty) }],
    },
    { transport: 'gRPC-Web', call: 'CanI', request: grpcWeb('/account.AccountService/CanI', canI, ['token', token]), others: [] },
    {
      transport: 'REST',
      call: 'Version',
      request: rest('/api/version'),
      others: [{ name: 'connect', label: 'connect-node, its JSON', request: { ...json, body: Buffer.from('{}') } }],
    },
    {
      transport: 'REST',
      call: 'CanI',
      request: rest(`/api/v1/account/can-i/${Object.values(question).join('/')}`, ['authorization', `Bearer ${token}`]),
      others: [],
    },
  ];
}

type Header = LoadRequest['headers'][number];

function grpc(path: string, body: Uint8Array, ...headers: readonly Header[]): Request {
  return { http: 2, verb: 'POST', path, body, headers: [['content-type', 'application/grpc'], ['te', 'trailers'], USER_AGENT, ...headers] };
}

function grpcWeb(path: string, body: Uint8Array, ...headers: readonly Header[]): Request {
  return { http: 1, verb: 'POST', path, body, headers: [['content-type', 'application/grpc-web+proto'], USER_AGENT, ...headers] };
}

function rest(path: string, ...headers: readonly Header[]): Request {
  return { http: 1, verb: 'GET', path, body: new Uint8Array(), headers: [['accept', 'application/json'], USER_AGENT, ...headers] };
}

/** Five bytes before each message: no flags, and its length. */
function frameMessage(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
