/** The least that a gRPC server on node:http2 can do: read the request, send the bytes that ours sends, with trailers. */
import { createServer } from 'node:http2';
import { answerParent } from '../../support/child-program.ts';
import { listenLocally, type CapturedReplies } from './peer.ts';

answerParent((captured: CapturedReplies) => {
  const replies = new Map(Object.entries(captured));
  const server = createServer();
  server.on('stream', (stream, { ':path': path = '' }) => {
    const reply = replies.get(path);
    if (reply === undefined) return stream.respond({ ':status': 404 }, { endStream: true });
    stream.on('data', () => {});
    stream.on('end', () => {
      stream.respond({ ':status': 200, ...reply.headers }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ ...reply.trailers }));
      stream.end(reply.body);
    });
  });
  return listenLocally(server);
});
