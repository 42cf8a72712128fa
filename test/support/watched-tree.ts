import { request, type IncomingMessage } from 'node:http';

/** What a client that watches the tree of an application over REST has been told. */
export interface WatchedTree extends Disposable {
  /** What was told so far does not count any more. */
  forget(): void;
  /** Resolves when this text has been told. */
  until(text: string, limitMs: number): Promise<void>;
}

const ANSWER_LIMIT_MS = 10_000;

export interface Caller {
  readonly url: string;
  readonly token: string;
}

export async function signIn(url: string, password: string): Promise<Caller> {
  const body = JSON.stringify({ username: 'admin', password });
  const answer = await fetch(`${url}/api/v1/session`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  if (!answer.ok) throw new Error(`the session was refused: ${answer.status} ${await answer.text()}`);
  const { token } = (await answer.json()) as { token: string };
  return { url, token };
}

/** How many nodes the tree has; none where there is no tree yet, or no answer. */
export async function countNodes({ url, token }: Caller, application: string): Promise<number> {
  const options = { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) };
  try {
    const answer = await fetch(`${url}/api/v1/applications/${application}/resource-tree`, options);
    const tree = (await answer.json()) as { nodes?: readonly unknown[] | null };
    return answer.ok ? (tree.nodes?.length ?? 0) : 0;
  } catch {
    // Whoever asks asks again, and has a limit of their own.
    return 0;
  }
}

export async function watchTree({ url, token }: Caller, application: string): Promise<WatchedTree> {
  const stream = await openStream(`${url}/api/v1/stream/applications/${application}/resource-tree`, token);
  let told = '';
  let look = (): void => undefined;
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    told += chunk;
    look();
  });
  return {
    forget: () => void (told = ''),
    async until(text, limitMs) {
      const found = Promise.withResolvers<void>();
      look = () => {
        if (told.includes(text)) found.resolve();
      };
      const timer = setTimeout(() => found.reject(new Error(`${text} was not told within ${limitMs} ms`)), limitMs);
      try {
        look();
        await found.promise;
      } finally {
        clearTimeout(timer);
        look = () => undefined;
      }
    },
    [Symbol.dispose]: () => void stream.destroy(),
  };
}

function openStream(url: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' } }, resolve);
    outgoing.on('error', reject);
    outgoing.end();
  });
}
