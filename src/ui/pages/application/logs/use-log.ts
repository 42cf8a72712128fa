import { useEffect, useState } from 'react';
import type { ApplicationPodLogsQuery, LogEntry } from '../../../../contract/gen/types.ts';
import { api, describeError } from '../../../api/index.ts';
import { addEntries, NO_LINES, type LogLines } from './log-lines.ts';

/** Lines are handed over together, so that a chatty pod costs a few renders a second. */
const GATHER_MS = 150;

export interface Log extends LogLines {
  readonly state: 'opening' | 'open' | 'over';
  /** Why it broke off; undefined where it came to its end. */
  readonly failure: string | undefined;
}

const CLOSED: Log = { ...NO_LINES, state: 'opening', failure: undefined };

/** Reads a log, and goes on with what is written where the query says so. `attempt` begins anew when it changes. */
export function useLog(query: ApplicationPodLogsQuery, attempt: number): Log {
  const key = JSON.stringify({ query, attempt });
  const [read, setRead] = useState({ key, log: CLOSED });
  useEffect(() => {
    const over = new AbortController();
    const change = (next: (before: Log) => Log): void =>
      setRead((before) => ({ key, log: next(before.key === key ? before.log : CLOSED) }));
    readLog((JSON.parse(key) as { query: ApplicationPodLogsQuery }).query, over.signal, change).catch((error: unknown) => {
      if (!over.signal.aborted) change((log) => ({ ...log, state: 'over', failure: describeError(error) }));
    });
    return () => over.abort();
  }, [key]);
  return read.key === key ? read.log : CLOSED;
}

async function readLog(query: ApplicationPodLogsQuery, signal: AbortSignal, change: (next: (before: Log) => Log) => void): Promise<void> {
  let gathered: LogEntry[] = [];
  let timer: number | undefined;
  const flush = (): void => {
    timer = undefined;
    const entries = gathered;
    gathered = [];
    if (!signal.aborted) change((log) => ({ ...log, ...addEntries(log, entries) }));
  };
  try {
    const onOpen = (): void => change((log) => ({ ...log, state: 'open' }));
    for await (const entry of api.ApplicationService.PodLogs(query, { signal, onOpen })) {
      gathered.push(entry);
      timer ??= window.setTimeout(flush, GATHER_MS);
    }
  } finally {
    window.clearTimeout(timer);
    flush();
  }
  if (!signal.aborted) change((log) => ({ ...log, state: 'over' }));
}
