/** The process that asks: puts one server under load for one slot of time after another. */
import { answerParent } from '../../support/child-program.ts';
import { readProcessorMs } from '../../support/processors.ts';
import { openHttp1 } from './http1-connection.ts';
import { openHttp2 } from './http2-connection.ts';
import type { ConnectionOptions, LoadedConnection, LoadOrder, LoadResult } from './load.ts';

const HTTP1_CONNECTIONS = 32;
const HTTP2_CONNECTIONS = 4;
const STREAMS_PER_CONNECTION = 16;

answerParent(runSlot);

async function runSlot({ request, port, pid, durationMs }: LoadOrder): Promise<LoadResult> {
  const durations: number[] = [];
  const failed = Promise.withResolvers<never>();
  const options: ConnectionOptions = {
    request,
    port,
    onAnswer: (duration) => void durations.push(duration),
    onFailure: (error) => failed.reject(error),
  };
  const connections = open(options);
  try {
    await Promise.race([Promise.all(connections.map(({ opened }) => opened)), failed.promise]);
    const startMs = performance.now();
    const serverStartMs = readProcessorMs(pid);
    const generatorStart = process.cpuUsage();
    for (const connection of connections) connection.begin();
    await Promise.race([new Promise((resolve) => setTimeout(resolve, durationMs)), failed.promise]);
    const wallMs = performance.now() - startMs;
    const serverMs = readProcessorMs(pid) - serverStartMs;
    const generator = process.cpuUsage(generatorStart);
    const calls = durations.length;
    await Promise.race([Promise.all(connections.map((connection) => connection.finish())), failed.promise]);
    durations.sort((a, b) => a - b);
    return {
      calls,
      wallMs,
      serverMs,
      generatorMs: (generator.user + generator.system) / 1e3,
      p50Ms: durations[Math.floor(durations.length * 0.5)] ?? NaN,
      p99Ms: durations[Math.floor(durations.length * 0.99)] ?? NaN,
    };
  } finally {
    for (const connection of connections) connection.destroy();
  }
}

function open(options: ConnectionOptions): LoadedConnection[] {
  return options.request.http === 1
    ? Array.from({ length: HTTP1_CONNECTIONS }, () => openHttp1(options))
    : Array.from({ length: HTTP2_CONNECTIONS }, () => openHttp2({ ...options, streams: STREAMS_PER_CONNECTION }));
}
