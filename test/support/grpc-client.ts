import {
  Client,
  credentials,
  Metadata,
  type CallOptions,
  type ChannelCredentials,
  type ClientOptions,
  type ServiceError,
} from '@grpc/grpc-js';
import { messageCodec, methods, type JsonObject, type MethodSchema } from '../../src/contract/index.ts';

export interface GrpcCallOptions extends CallOptions {
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A gRPC client that we did not write, with our codec for the messages. */
export interface GrpcClient {
  readonly client: Client;
  unary(path: string, request: JsonObject, options?: GrpcCallOptions): Promise<JsonObject>;
  serverStream(path: string, request: JsonObject, options?: GrpcCallOptions): AsyncIterable<JsonObject> & { cancel(): void };
  clientStream(path: string, requests: readonly JsonObject[], options?: GrpcCallOptions): Promise<JsonObject>;
  close(): void;
}

export function createGrpcClient(
  address: string,
  channel: ChannelCredentials = credentials.createInsecure(),
  options: ClientOptions = {},
): GrpcClient {
  const client = new Client(address, channel, { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1, ...options });
  return {
    client,
    unary: (path, request, { metadata, ...callOptions } = {}) => {
      const { encode, decode } = codecs(path);
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(path, encode, decode, request, toMetadata(metadata), callOptions, (error, value) =>
          settle(error, value, resolve, reject),
        );
      });
    },
    serverStream: (path, request, { metadata, ...callOptions } = {}) => {
      const { encode, decode } = codecs(path);
      return client.makeServerStreamRequest(path, encode, decode, request, toMetadata(metadata), callOptions);
    },
    clientStream: (path, requests, { metadata, ...callOptions } = {}) => {
      const { encode, decode } = codecs(path);
      return new Promise((resolve, reject) => {
        const call = client.makeClientStreamRequest(path, encode, decode, toMetadata(metadata), callOptions, (error, value) =>
          settle(error, value, resolve, reject),
        );
        for (const request of requests) call.write(request);
        call.end();
      });
    },
    close: () => client.close(),
  };
}

function codecs(path: string): { encode: (value: JsonObject) => Buffer; decode: (bytes: Buffer) => JsonObject } {
  const method: Pick<MethodSchema, 'input' | 'output'> = methods.find((candidate) => candidate.path === path) ?? {
    input: 'google.protobuf.Empty',
    output: 'google.protobuf.Empty',
  };
  const [input, output] = [messageCodec(method.input), messageCodec(method.output)];
  return { encode: (value) => Buffer.from(input.encode(value)), decode: (bytes) => output.decode(bytes) };
}

function toMetadata(values: Readonly<Record<string, string>> = {}): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) metadata.set(name, value);
  return metadata;
}

function settle(
  error: ServiceError | null,
  value: JsonObject | undefined,
  resolve: (value: JsonObject) => void,
  reject: (error: Error) => void,
): void {
  if (error) reject(error);
  else resolve(value ?? {});
}
