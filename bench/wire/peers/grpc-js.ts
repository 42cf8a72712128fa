/** The version service on `@grpc/grpc-js`, with the messages of `@bufbuild/protobuf`. */
import { create, fromBinary, toBinary, type DescMessage, type Message } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type handleUnaryCall } from '@grpc/grpc-js';
import { buildRegistry } from '../../support/build-registry.ts';
import { answerParent } from '../../support/child-program.ts';
import type { PeerAddress } from './peer.ts';

answerParent(() => {
  const { input, output } = buildRegistry().getService('version.VersionService')!.method['version']!;
  const version: handleUnaryCall<Message, Message> = (_call, callback) =>
    callback(null, create(output, { Version: 'v3.5.6+fairway.0.1.0' }));
  const server = new Server();
  const method = {
    path: '/version.VersionService/Version',
    requestStream: false,
    responseStream: false,
    ...codecOf('request', input),
    ...codecOf('response', output),
  };
  server.addService({ Version: method } as never, { Version: version });
  return new Promise<PeerAddress>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve({ port }) : reject(error),
    );
  });
});

function codecOf(name: string, schema: DescMessage): object {
  return {
    [`${name}Serialize`]: (message: Message) => Buffer.from(toBinary(schema, message)),
    [`${name}Deserialize`]: (bytes: Buffer) => fromBinary(schema, bytes),
  };
}
