/** A server of its own process whose handlers throw in every way there is. Prints its address. */
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
  'by answering with nonsense': async () => ({ name: { toString: 'x' }, capabilities: 7 }),
};

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
