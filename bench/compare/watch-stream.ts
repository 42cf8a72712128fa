import { request } from 'node:http';
import type { Stage } from './stage.ts';

/** A client that watches all applications over REST, as a browser does: it has the list, and wants what comes after. */
export interface WatchStream {
  close(): void;
}

/** `onText` is given what comes, as it comes, in pieces that end where an event ends. */
export async function openWatch({ contender, token }: Stage, from: string, onText: (text: string) => void): Promise<WatchStream> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  return new Promise((resolve, reject) => {
    const call = request(`${contender.url}/api/v1/stream/applications?resourceVersion=${from}`, { headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a watch answers ${answer.statusCode}`));
      let rest = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        const end = piece.lastIndexOf('\n') + 1;
        if (end === 0) return void (rest += piece);
        onText(rest + piece.slice(0, end));
        rest = piece.slice(end);
      });
      // It ends when we close it, or when the tool stops; whoever waits for an event says so.
      answer.on('error', () => undefined);
      resolve({ close: () => call.destroy() });
    });
    call.on('error', reject).end();
  });
}

/** The version from which a watch misses nothing. */
export async function listVersion({ contender, token }: Stage): Promise<string> {
  const answer = await fetch(`${contender.url}/api/v1/applications?fields=metadata.resourceVersion`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { metadata } = (await answer.json()) as { metadata?: { resourceVersion?: string } };
  return metadata?.resourceVersion ?? '';
}
