import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFairway, type Fairway, type FairwayOptions } from '../support/fairway.ts';
import { signInAsAdmin } from '../support/rest-caller.ts';

const failingDisk = new URL('../support/failing-disk.ts', import.meta.url);

it('ends with an error where its disk breaks, and goes on with what it had confirmed after a new start', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fairway-broken-disk-'));
  const dataDir = join(folder, 'data');
  const sign = join(folder, 'broken');
  const env = { NODE_OPTIONS: `--import=${failingDisk.href}`, FAILING_DISK: sign };
  const project = (name: string) => ({ project: { metadata: { name }, spec: {} } });
  const started: Fairway[] = [];
  const start = async (options: FairwayOptions) => {
    const fairway = await startFairway({ dataDir, ...options });
    started.push(fairway);
    return { fairway, admin: await signInAsAdmin(fairway) };
  };
  try {
    const { fairway, admin } = await start({ env });
    expect((await admin('POST', '/api/v1/projects', project('kept'))).status).toBe(200);
    await writeFile(sign, '');
    // Whether the refusal still gets through is a matter of moments.
    await admin('POST', '/api/v1/projects', project('lost')).catch(() => undefined);
    expect(await fairway.ended).toBe(1);
    expect(fairway.output()).toContain('the home is lost');
    const mended = await start({});
    expect((await mended.admin('GET', '/api/v1/projects/kept')).status).toBe(200);
  } finally {
    for (const fairway of started) await fairway.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
