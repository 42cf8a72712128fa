import type { Tab } from './open-tab.ts';
import { round, timeFigure, type Figure } from './report.ts';

/** The first visit of a browser that knows nothing of us: what it fetches, and how long it takes until the page can be used. */
export async function measureLoad(tab: Tab): Promise<readonly Figure[]> {
  const ms = await tab.goAndSee('/applications', `document.querySelector('.page-head h1') && document.querySelector('.side-links')`);
  const fetched = await tab.page.evaluate<{ name: string; encodedBodySize: number }[]>(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`,
  );
  const bytes = fetched.filter(({ name }) => !name.includes('/api/')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  return [
    timeFigure('first load, until the page and its side bar are seen', ms, 1_000),
    { what: 'first load, compressed', measured: `${round(bytes / 1_000)} KB`, goal: '300 KB', isReached: bytes <= 300_000 },
  ];
}
