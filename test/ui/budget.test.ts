import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureUi } from '../../scripts/build/build-ui.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FIRST_LOAD_BYTES_MAX = 300_000;

describe('the built web interface', () => {
  beforeAll(() => ensureUi(ROOT));

  it('asks a first visitor for less than 300 KB', () => {
    const folder = join(ROOT, 'dist/ui');
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    const sizes = files.map((path) => {
      const file = join(folder, path);
      return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
    });
    expect(files.some((path) => path.endsWith('.js'))).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_BYTES_MAX);
  });

  it('is the form for users, also when a test builds it', () => {
    const folder = join(ROOT, 'dist/ui/assets');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    expect(scripts.filter((name) => /jsxDEV|react_stack_bottom_frame/.test(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
  });

  it('has no script or style within its page, and names no other host', () => {
    const page = readFileSync(join(ROOT, 'dist/ui/index.html'), 'utf8');
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:|https?:\/\//);
  });
});
