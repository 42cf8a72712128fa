import { readFileSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFairway, type Fairway } from '../support/fairway.ts';

const CALLS = 30_000;
const CALLS_AT_ONCE = 200;
/** What a storm takes at the least, so that there is something to give back. */
const STORM_MB_MIN = 60;
const TOLERANCE_MB = 32;

function readResidentMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * 4_096) / 1_048_576;
}

function ask(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': '/api/version', accept: 'application/json' });
    stream.resume();
    stream.on('end', resolve);
    stream.on('error', reject);
  });
}

async function storm(url: string): Promise<void> {
  const session = connect(url);
  let left = CALLS;
  const askOn = async (): Promise<void> => {
    for (; left > 0; left -= 1) await ask(session);
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, askOn));
  session.close();
}

describe('memory', () => {
  let fairway: Fairway;
  beforeAll(async () => {
    fairway = await startFairway();
  });
  afterAll(() => fairway.stop());

  it('is back where it was soon after a storm of requests, by itself', { timeout: 120_000 }, async () => {
    const beforeMb = readResidentMb(fairway.pid);
    await storm(fairway.url);
    expect(readResidentMb(fairway.pid)).toBeGreaterThan(beforeMb + STORM_MB_MIN);
    await expect.poll(() => readResidentMb(fairway.pid), { timeout: 60_000, interval: 250 }).toBeLessThan(beforeMb + TOLERANCE_MB);
  });
});
