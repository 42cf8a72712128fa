/** The least that a server on node:http can do: read the request, send the bytes that ours sends. */
import { createServer } from 'node:http';
import { answerParent } from '../../support/child-program.ts';
import { listenLocally, type CapturedReplies } from './peer.ts';

answerParent((captured: CapturedReplies) => {
  // As text, because node then sends head and body in one write; our own server does the same.
  const replies = new Map(
    Object.entries(captured).map(([path, { headers, body }]) => [path, { headers, text: Buffer.from(body).toString('latin1') }]),
  );
  const server = createServer({ noDelay: true }, (request, response) => {
    const reply = replies.get(request.url ?? '');
    if (reply === undefined) return void response.writeHead(404).end();
    const answer = (): void => void response.writeHead(200, reply.headers).end(reply.text, 'latin1');
    if (request.method === 'GET') return answer();
    request.on('data', () => {});
    request.on('end', answer);
  });
  return listenLocally(server);
});
