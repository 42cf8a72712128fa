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
function createServer(names: readonly string[]): { rows: ApplicationRow[]; asked: number[]; load: LoadPage } {
  const server = {
    rows: names.map((name) => row(name)),
    asked: [] as number[],
    load: (offset: number, limit: number): Promise<ApplicationList> => {
      server.asked.push(offset / PAGE_ROWS);
      const items = server.rows.slice(offset, offset + limit);
      return Promise.resolve({ metadata: {}, items, stats: { total: server.rows.length } });
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

  it('keeps what it has when the server fails', async () => {
    const [server, pages] = [createServer(['a']), createApplicationPages()];
    pages.ask(server.load);
    await waitUntil(() => names(pages).length === 1);
    server.load = () => Promise.reject(new Error('away'));
    pages.ask(server.load);
    await waitUntil(() => pages.state.get().error !== undefined);
    expect(names(pages)).toEqual(['a']);
    pages.stop();
  });
});
