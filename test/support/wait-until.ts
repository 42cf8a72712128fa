import { setTimeout as wait } from 'node:timers/promises';

const LIMIT_MS = 30_000;
const POLL_MS = 25;

/** The first answer that is not undefined or false. Fails where none comes in time. */
export async function waitUntil<Result>(ask: () => Promise<Result | undefined | false> | Result | undefined | false): Promise<Result> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error('what was waited for did not happen');
    await wait(POLL_MS);
  }
}
