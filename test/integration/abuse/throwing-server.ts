/** A server of its own process whose handlers throw in every way there is. Prints its address. */
import { EventEmitter } from 'node:events';
import { createLogger } from '../../../src/base/index.ts';
import { guardProcess } from '../../../src/main/guards.ts';
import { createServerMetrics } from '../../../src/server/index.ts';
import { startTestServer } from '../../support/test-server.ts';

/** Must not be seen by any client. */
const cause = (): Error => new Error('planted-cause-77');

const ways: Readonly<Record<string, () => unknown>> = {
  synchronously: () => {
    throw cause();
  },
  'as a rejection': async () => {
    throw cause();
  },
  'what is no error': () => {
    // oxlint-disable-next-line typescript/only-throw-error -- that somebody does is the case
    throw 'planted-cause-77';
  },
  nothing: () => Promise.reject(undefined as unknown as Error),
  'in a timer': async () => {
    setTimeout(() => {
      throw cause();
    }, 1);
    return {};
  },
  'in a promise that nobody waits for': async () => {
    void Promise.reject(cause());
    return {};
  },
  'in an event': async () => {
    setImmediate(() => new EventEmitter().emit('error', cause()));
    return {};
  },
  'by answering with nonsense': async () => ({ name: { toString: 'x' }, capabilities: 7 }),
};

guardProcess({
  log: createLogger({ level: 'error', format: 'json', write: (line) => void process.stderr.write(line) }),
  metrics: createServerMetrics('0.0.0'),
  isReady: () => true,
});

const server = await startTestServer({
  limits: { slowReaderTimeoutMs: 1_000 },
  handlers: {
    'AccountService/GetAccount': ({ name }: { name: string }) => ways[name]?.(),
    'ApplicationService/Watch': ({ name }: { name?: string }) => {
      if (name === 'synchronously') throw cause();
      return watch(name);
    },
  },
});
process.stdout.write(`ready ${server.url}\n`);
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));

async function* watch(name: string | undefined): AsyncGenerator<object> {
  const application = { metadata: { name: 'x'.repeat(10_000) }, spec: {} };
  yield { type: 'ADDED', application };
  if (name === 'in the middle') throw cause();
  // No pause on purpose: only whether the client reads holds it back.
  while (name === 'endless') yield { type: 'MODIFIED', application };
}
