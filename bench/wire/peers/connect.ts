/** The version service on `@connectrpc/connect-node`, over HTTP/1.1 or h2c as the argument says. */
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { create, type DescMethodUnary } from '@bufbuild/protobuf';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { buildRegistry } from '../../support/build-registry.ts';
import { answerParent } from '../../support/child-program.ts';
import { listenLocally } from './peer.ts';

answerParent(() => {
  const method = buildRegistry().getService('version.VersionService')!.method['version'] as DescMethodUnary;
  const handler = connectNodeAdapter({
    routes: (router) => void router.rpc(method, () => create(method.output, { Version: 'v3.5.6+fairway.0.1.0' })),
  });
  return listenLocally(process.argv[2] === 'http2' ? createHttp2Server(handler) : createServer(handler));
});
