import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemTimers } from '../../base/index.ts';
import { isAlive } from '../../../test/support/run-folder.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { defaultSourceLimits } from '../limits.ts';
import { formatGoDuration } from './format-go-duration.ts';
import { createToolRunner } from './tool-runner.ts';
import type { ToolRunner } from './tool-runner.ts';

describe('a tool', () => {
  let folder: string;
  let runner: ToolRunner;
  const shell = (script: string, more: { signal?: AbortSignal; limitMs?: number; input?: string } = {}) =>
    runner.run({ program: '/bin/sh', args: ['-c', script], env: { WORD: 'given' }, folder, ...more });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tool-runner-'));
    runner = createToolRunner({ ...defaultSourceLimits, toolsMax: 2, toolsWaitingMax: 1, toolOutputBytesMax: 1000 }, systemTimers);
  });
  afterEach(async () => {
    runner.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers with its exit code, output and errors, and has no environment but the given one', async () => {
    const { code, stdout, stderr } = await shell('cat; echo "$WORD$HOME"; echo bad >&2; exit 3', { input: 'in ' });
    expect({ code, stdout: stdout.toString(), stderr }).toEqual({ code: 3, stdout: 'in given\n', stderr: 'bad\n' });
  });

  it('that is not there is named as missing', async () => {
    await expect(runner.run({ program: join(folder, 'nothing'), args: [], env: {}, folder })).rejects.toMatchObject({ failure: 'missing' });
  });

  it('whose folder is gone is not named as missing: installing it would not help', async () => {
    const run = runner.run({ program: '/bin/sh', args: ['-c', 'true'], env: {}, folder: join(folder, 'gone') });
    await expect(run).rejects.toMatchObject({ failure: 'unstartable', message: expect.stringContaining('is gone') as string });
  });

  it('that somebody else ends is told apart from one that nobody waits for any more', async () => {
    await expect(shell('kill -9 $$')).rejects.toMatchObject({ failure: 'ended', message: expect.stringContaining('SIGKILL') as string });
  });

  it('that takes too long is killed with everything that it started', async () => {
    const stuck = shell('sleep 60 & echo $! > child; wait', { limitMs: 2_000 });
    await expect(stuck).rejects.toMatchObject({ failure: 'timeout', message: 'failed timeout after 2s' });
    const pid = Number(await readFile(join(folder, 'child'), 'utf8'));
    await waitUntil(() => !isAlive(pid));
  });

  it('leaves nothing behind when it ends by itself', async () => {
    await shell('sleep 60 & echo $! > child');
    const pid = Number(await readFile(join(folder, 'child'), 'utf8'));
    await waitUntil(() => !isAlive(pid));
  });

  it('is killed when nobody waits for it any more, and when all stops', async () => {
    const abort = new AbortController();
    const given = shell('sleep 60', { signal: abort.signal });
    abort.abort();
    await expect(given).rejects.toMatchObject({ failure: 'stopped' });
    const running = shell('sleep 60');
    runner.stop();
    await expect(running).rejects.toMatchObject({ failure: 'stopped' });
  });

  it('that takes too much memory is killed, with what it started', async () => {
    runner.stop();
    runner = createToolRunner({ ...defaultSourceLimits, toolMemoryBytesMax: 200 << 20 }, systemTimers);
    // Blocks that are written to are really there.
    const greedy = `const all = []; setInterval(() => all.push(Buffer.alloc(20 << 20, 1)), 5)`;
    const run = shell(`'${process.execPath}' -e '${greedy}' & echo $! > child; wait`);
    await expect(run).rejects.toMatchObject({ failure: 'memory', message: 'needed more than 200 MB of memory' });
    const pid = Number(await readFile(join(folder, 'child'), 'utf8'));
    await waitUntil(() => !isAlive(pid));
  });

  it('that writes without end is stopped', async () => {
    await expect(shell('while true; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done')).rejects.toMatchObject({ failure: 'output' });
  });

  it('waits for its turn, and is refused where too many wait', async () => {
    const first = [shell('cat'), shell('cat'), shell('cat')];
    await expect(shell('true')).rejects.toMatchObject({ failure: 'busy' });
    await Promise.all(first);
    expect(runner.started()).toBe(3);
  });
});

describe('a time span as Go writes it', () => {
  it.each([
    [90_000, '1m30s'],
    [15_000, '15s'],
    [1_500, '1.5s'],
    [250, '250ms'],
    [3_600_000, '1h0m0s'],
    [0, '0s'],
  ])('%d ms is %s', (milliseconds, text) => expect(formatGoDuration(milliseconds)).toBe(text));
});
