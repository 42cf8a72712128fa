import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureTool } from './ensure-tool.ts';
import { ToolMissing } from './tool.ts';

describe('a tool that is built on first use', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ensure-tool-'));
    vi.stubEnv('FAIRWAY_CACHE', join(folder, 'cache'));
    vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`);
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  /** A Go that keeps a list of its builds and whose programs hold its version. */
  async function installGo(version: string, build = `echo ${version} >"$6"`): Promise<void> {
    const script = `#!/bin/sh\nif [ "$1" = env ]; then echo ${version}; exit; fi\necho "$PWD" >>${folder}/builds\n${build}\n`;
    await writeFile(join(folder, 'go'), script, { mode: 0o755 });
  }
  const listBuilds = async (): Promise<string[]> => (await readFile(join(folder, 'builds'), 'utf8')).trim().split('\n');

  it('is built once for all who ask at the same time, and not again later', async () => {
    await installGo('go1.99.0');
    const [first, second] = await Promise.all([ensureTool('argocd'), ensureTool('argocd')]);
    expect(second).toBe(first);
    expect(await ensureTool('argocd')).toBe(first);
    expect((await listBuilds()).map((path) => basename(path))).toEqual(['argocd']);
    expect(await readFile(first, 'utf8')).toBe('go1.99.0\n');
    expect(await readdir(dirname(first))).toEqual(['argocd']);
  });

  it('is built anew by another version of Go', async () => {
    await installGo('go1.99.0');
    const first = await ensureTool('argocd');
    await installGo('go1.99.1');
    expect(await ensureTool('argocd')).not.toBe(first);
    expect(await listBuilds()).toHaveLength(2);
  });

  it('says what the compiler said when it fails, and leaves nothing behind', async () => {
    await installGo('go1.99.0', 'echo half >"$6"; echo main.go:1: no such package >&2; exit 1');
    await expect(ensureTool('argocd')).rejects.toThrow('main.go:1: no such package');
    const [built = ''] = await readdir(join(folder, 'cache', 'tools'));
    expect(await readdir(join(folder, 'cache', 'tools', built))).toEqual([]);
  });

  it('is missing where Go is', async () => {
    vi.stubEnv('PATH', folder);
    await expect(ensureTool('argocd')).rejects.toThrow(ToolMissing);
    await expect(ensureTool('argocd')).rejects.toThrow('go is not installed');
  });

  it('is missing where Go is too old for it', async () => {
    await installGo('go1.19.13');
    await expect(ensureTool('argocd')).rejects.toThrow(
      /argocd cannot be built here: it needs go 1\.\d+\S* or newer, and this is go1\.19\.13/,
    );
  });
});
