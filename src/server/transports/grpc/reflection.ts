import type { ApiError } from '../../../base/index.ts';
import { answerReflection, messageCodec } from '../../../contract/index.ts';
import { checkClientVersion } from '../core/client-version.ts';
import { encodeFrame } from '../core/framing.ts';
import { statusHeaders, withMetadata } from '../core/grpc-status.ts';
import { parseGrpcTimeout } from '../core/grpc-timeout.ts';
import { createLabels, type Method } from '../core/method-table.ts';
import type { OpenCallOptions } from '../core/open-call.ts';
import { waitForReader } from '../core/pump.ts';
import type { ServerCall } from '../core/server-call.ts';
import { findToken } from '../core/token.ts';
import { Turn } from '../core/turn.ts';
import { readMessages } from './read-messages.ts';
import { sendFailure } from './send-failure.ts';

/** The longest name that somebody asks for is much shorter. */
const QUESTION_BYTES_MAX = 16_384;

const METHODS = new Map(
  ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection']
    .map(createMethod)
    .map((one) => [one.schema.path, one]),
);

export function isReflection(path: string): boolean {
  return METHODS.has(path);
}

/** What tools ask that learn the API from the server. Each question is answered before the next is read; who is not signed in asks none. */
export class ReflectionTurn extends Turn {
  protected identify(): OpenCallOptions {
    const { exchange } = this;
    checkClientVersion(exchange.header('user-agent'));
    const timeoutMs = parseGrpcTimeout(exchange.header('grpc-timeout'));
    return { method: METHODS.get(exchange.path)!, transport: 'grpc', token: findToken(exchange), timeoutMs };
  }

  protected async readRequests(): Promise<object> {
    const { core, exchange, call } = this;
    exchange.invite();
    exchange.serve();
    const rules = { ...this.chooseRules(core.messageRules), sizeBytesMax: QUESTION_BYTES_MAX };
    for await (const answer of readMessages(exchange, rules, answerReflection)) {
      if (exchange.over) break;
      this.#start();
      if (!exchange.write(encodeFrame(0, answer))) await call.settle(waitForReader(core, exchange));
    }
    return {};
  }

  protected sendUnary(): void {
    if (this.exchange.over) return;
    this.#start();
    this.exchange.end(statusHeaders(undefined));
  }

  protected sendFailure(failure: ApiError, call: ServerCall | undefined): void {
    sendFailure(this.exchange, failure, call);
  }

  #start(): void {
    if (!this.exchange.started) this.exchange.start(200, withMetadata({ 'content-type': 'application/grpc' }, this.call), true);
  }

  protected readRequest(): void {
    throw neverAsked();
  }

  protected async sendStream(): Promise<void> {
    throw neverAsked();
  }

  push(): void {
    throw neverAsked();
  }

  end(): void {
    throw neverAsked();
  }
}

/** It is not of the contract: its messages are read and written by whoever answers. */
function createMethod(service: string): Method {
  const name = 'ServerReflectionInfo';
  const empty = messageCodec('google.protobuf.Empty');
  const schema = {
    service,
    name,
    path: `/${service}/${name}`,
    input: empty.schema.name,
    output: empty.schema.name,
    clientStreaming: true,
    // It lasts as long as a call may, and not as long as a watch.
    serverStreaming: false,
    http: [],
  };
  const handle = (): never => {
    throw neverAsked();
  };
  return { schema, input: empty, output: empty, handler: { kind: 'client-stream', handle }, isPublic: false, labels: createLabels(schema) };
}

function neverAsked(): Error {
  return new Error('reflection is a stream of questions and answers');
}
