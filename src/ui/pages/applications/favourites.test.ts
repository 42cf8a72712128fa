import { describe, expect, it, vi } from 'vitest';
import type { ApplicationRow } from './application-row.ts';
import { createFavouritesLoader } from './favourites.ts';

const MARKED = Array.from({ length: 150 }, (_, index) => `argocd/app-${index}`);

/** A server that knows every application that it is asked for, and counts the questions. */
function stubServer(): { asked: number } {
  const server = { asked: 0 };
  vi.stubGlobal('fetch', (address: string) => {
    server.asked += 1;
    const name = new URLSearchParams(address.split('?')[1]).get('name');
    return Promise.resolve(Response.json({ metadata: { resourceVersion: String(1_000 - server.asked) }, items: [{ metadata: { name } }] }));
  });
  return server;
}

const names = (rows: readonly ApplicationRow[]): (string | undefined)[] => rows.map(({ metadata }) => metadata.name);

describe('favourites', () => {
  it('are read once for all pages in sight, and each is on one page', async () => {
    const server = stubServer();
    const load = createFavouritesLoader(MARKED, {});
    const { signal } = new AbortController();
    const [first, second] = await Promise.all([load(0, 100, signal), load(100, 100, signal)]);
    expect(server.asked).toBe(150);
    expect([...names(first.items), ...names(second.items)]).toEqual(MARKED.map((path) => path.split('/')[1]));
    expect(second.stats?.total).toBe(150);
    expect(second.metadata.resourceVersion).toBe('850');
    await load(0, 100, signal);
    expect(server.asked).toBe(300);
  });
});
