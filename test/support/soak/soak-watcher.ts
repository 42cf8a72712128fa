import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { SoakStage } from './soak-stage.ts';

const AGAIN_MS = 250;

interface Event {
  readonly result?: { readonly type?: string; readonly application?: Seen };
}

interface Seen {
  readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
}

/** A client that watches all applications, comes back when it is cut off, and keeps what it was told. */
export interface SoakWatcher {
  /** Versions by name. */
  readonly seen: ReadonlyMap<string, string>;
  readonly stop: () => Promise<void>;
}

export function startWatcher(stage: SoakStage): SoakWatcher {
  const seen = new Map<string, string>();
  const ended = new AbortController();
  const follow = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const url = stage.fairway?.url;
      // Without a version everything comes first: what went meanwhile must not stay.
      seen.clear();
      if (url !== undefined) await readStream(url, stage.headers(), ended.signal, (text) => take(text, seen));
      await wait(AGAIN_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const following = follow();
  return {
    seen,
    async stop() {
      ended.abort();
      await following;
    },
  };
}

/** Resolves when the stream ends, for whatever reason: the watcher begins again, and in the end is held against a list. */
function readStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onLine: (text: string) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const call = request(`${url}/api/v1/stream/applications`, { headers, signal, agent: false }, (answer) => {
      let rest = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        const lines = (rest + piece).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line !== '') onLine(line);
      });
      answer.once('close', () => resolve());
      answer.on('error', () => resolve());
    });
    call.on('error', () => resolve()).end();
  });
}

function take(line: string, seen: Map<string, string>): void {
  const { result } = JSON.parse(line) as Event;
  const { name = '', resourceVersion = '' } = result?.application?.metadata ?? {};
  if (result?.type === 'DELETED') seen.delete(name);
  else if (name !== '') seen.set(name, resourceVersion);
}
