import { describe, expect, it, vi } from 'vitest';
import type { ApplicationList } from '../../../contract/gen/types.ts';
import type { ApplicationRow } from './application-row.ts';
import { createApplicationPages, PAGE_ROWS, type ApplicationPages, type LoadPage } from './create-application-pages.ts';

/** On a busy machine. */
const waitUntil = (is: () => boolean): Promise<boolean> => vi.waitUntil(is, { timeout: 15_000, interval: 10 });

function row(name: string, resourceVersion = '1', health = 'Healthy'): ApplicationRow {
  return {
    metadata: { name, namespace: 'argocd', resourceVersion },
    spec: { project: 'default', destination: {} },
    status: { health: { status: health } },
  };
}

/** A server with applications that can be changed, which notes the pages it was asked for. */
function createServer(names: readonly string[]): { rows: ApplicationRow[]; version: string; asked: number[]; load: LoadPage } {
  const server = {
    rows: names.map((name) => row(name)),
    version: '1',
    asked: [] as number[],
    load: (offset: number, limit: number): Promise<ApplicationList> => {
      server.asked.push(offset / PAGE_ROWS);
      const items = server.rows.slice(offset, offset + limit);
      return Promise.resolve({ metadata: { resourceVersion: server.version }, items, stats: { total: server.rows.length } });
    },
  };
  return server;
}

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `app-${String(index).padStart(4, '0')}`);
const names = ({ state }: ApplicationPages, page = 0): string[] =>
  (state.get().pages.get(page) ?? []).map(({ metadata }) => metadata.name ?? '');

describe('a list read page by page', () => {
  it('reads only the pages in sight, each once', async () => {
    const [server, pages] = [createServer(many(1_000)), createApplicationPages()];
    pages.ask(server.load);
    await waitUntil(() => pages.state.get().total === 1_000);
    pages.show(480, 510);
    pages.show(480, 510);
    await waitUntil(() => names(pages, 5).length > 0);
    expect(server.asked).toEqual([0, 4, 5]);
    pages.stop();
  });

  it('shows the old answer until the new one is there, and never an older one after a newer', async () => {
    const pages = createApplicationPages();
    pages.ask(createServer(['one']).load);
    await waitUntil(() => names(pages).includes('one'));
    const slow = Promise.withResolvers<ApplicationList>();
    pages.ask(() => slow.promise);
    expect([names(pages), pages.state.get().isFromBefore]).toEqual([['one'], true]);
    pages.ask(createServer(['three']).load);
    await waitUntil(() => names(pages).includes('three'));
    slow.resolve({ metadata: {}, items: [row('two')] });
    await slow.promise;
    expect([names(pages), pages.state.get().isFromBefore]).toEqual([['three'], false]);
    pages.stop();
  });

  it('replaces a changed row where it is, and takes no older state for a newer one', async () => {
    const [server, pages] = [createServer(['a', 'b']), createApplicationPages()];
    pages.ask(server.load);
    await waitUntil(() => names(pages).length === 2);
    pages.apply([{ type: 'MODIFIED', application: row('b', '7', 'Degraded') }]);
    pages.apply([{ type: 'MODIFIED', application: row('b', '5', 'Healthy') }]);
    const [, b] = pages.state.get().pages.get(0) ?? [];
    expect(b?.status?.health?.status).toBe('Degraded');
    pages.stop();
  });

  it('asks again where rows come or go, and only for counts where they change', async () => {
    const [server, pages] = [createServer(many(300)), createApplicationPages()];
    pages.ask(server.load);
    await waitUntil(() => names(pages).length === PAGE_ROWS);
    pages.show(100, 130);
    await waitUntil(() => names(pages, 1).length === PAGE_ROWS);
    server.rows.unshift(row('aaa'));
    pages.apply([{ type: 'ADDED', application: row('aaa') }]);
    await waitUntil(() => names(pages, 1)[0] === 'app-0099');
    server.asked.length = 0;
    pages.apply([{ type: 'MODIFIED', application: row('app-0120', '9') }]);
    await waitUntil(() => server.asked.length > 0);
    expect(server.asked).toEqual([0]);
    expect(names(pages, 1)[0]).toBe('app-0099');
    pages.stop();
  });

  it('has each row once after one came, also on pages that were read before', async () => {
    const [server, pages] = [createServer(many(300)), createApplicationPages()];
    pages.ask(server.load);
    await waitUntil(() => names(pages).length === PAGE_ROWS);
    pages.show(100, 130);
    await waitUntil(() => names(pages, 1).length === PAGE_ROWS);
    server.rows.unshift(row('aaa'));
    pages.apply([{ type: 'ADDED', application: row('aaa') }]);
    await waitUntil(() => names(pages, 1)[0] === 'app-0099');
    pages.show(90, 110);
    await waitUntil(() => names(pages).length === PAGE_ROWS);
    const all = [...names(pages), ...names(pages, 1)];
    expect(all.slice(0, 2)).toEqual(['aaa', 'app-0000']);
    expect(new Set(all).size).toBe(2 * PAGE_ROWS);
    pages.stop();
  });

  it('asks once more for a page that was on its way when a row came', async () => {
    const [server, pages] = [createServer(many(150)), createApplicationPages()];
    pages.ask(server.load);
    await waitUntil(() => names(pages).length === PAGE_ROWS);
    const slow = Promise.withResolvers<ApplicationList>();
    const { load } = server;
    const before = await load(0, PAGE_ROWS, new AbortController().signal);
    server.asked.length = 0;
    pages.ask((offset, limit, signal) => (server.asked.length === 0 ? (server.asked.push(0), slow.promise) : load(offset, limit, signal)));
    server.rows.unshift(row('aaa'));
    pages.apply([{ type: 'ADDED', application: row('aaa') }]);
    // The refresh, which was due before this, has found the page on its way.
    await new Promise((resolve) => setTimeout(resolve, 20));
    slow.resolve(before);
    await waitUntil(() => names(pages)[0] === 'aaa');
    pages.stop();
  });

  it('reads the rows in sight of another question, wherever somebody has scrolled to', async () => {
    const pages = createApplicationPages();
    pages.ask(createServer(many(300)).load);
    await waitUntil(() => pages.state.get().total === 300);
    pages.show(210, 230);
    await waitUntil(() => names(pages, 2).length > 0);
    pages.ask(createServer(many(250)).load);
    await waitUntil(() => pages.state.get().total === 250 && names(pages, 2).length === 50);
    pages.stop();
  });

  it('knows up to where all has been seen', async () => {
    const [server, pages] = [createServer(['a']), createApplicationPages()];
    server.version = '40';
    expect(pages.version()).toBeUndefined();
    pages.ask(server.load);
    await waitUntil(() => names(pages).length === 1);
    expect(pages.version()).toBe('40');
    server.version = '42';
    pages.apply([{ type: 'MODIFIED', application: row('a', '42') }]);
    pages.apply([{ type: 'MODIFIED', application: row('a', '41') }]);
    expect(pages.version()).toBe('42');
    pages.stop();
  });

  it('keeps what it has when the server fails, and tells that it is of before', async () => {
    const [server, pages] = [createServer(['a']), createApplicationPages()];
    pages.ask(server.load);
    await waitUntil(() => names(pages).length === 1);
    server.load = () => Promise.reject(new Error('away'));
    pages.ask(server.load);
    await waitUntil(() => pages.state.get().error !== undefined);
    expect(names(pages)).toEqual(['a']);
    expect(pages.state.get().isFromBefore).toBe(true);
    pages.stop();
  });
});
