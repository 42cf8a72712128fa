import type { KubeApi } from '../../src/kube/index.ts';
import { types } from '../home/sample-objects.ts';
import { median } from '../support/interleave.ts';
import type { Tab } from './open-tab.ts';
import { round, timeFigure, type Figure } from './report.ts';

const VISITS = 5;
const CHANGES_PER_SECOND = 50;
const CHANGING_MS = 10_000;
const SEARCHES = ['payments', 'checkout-dev', 'staging-0012', 'zuerich', 'nothing-like-this'];
const ROW = `document.querySelector('.table-row .app-link')`;

/** The list of all applications: opened, searched, scrolled, and watched while others change. */
export async function measureList(tab: Tab, api: KubeApi, names: readonly string[]): Promise<readonly Figure[]> {
  return [
    ...(await measureVisits(tab)),
    ...(await measureSearch(tab)),
    ...(await measureChanges(tab, api, names)),
    await measureScroll(tab, names.length),
    await measureMemory(tab),
  ];
}

async function measureVisits(tab: Tab): Promise<readonly Figure[]> {
  const visits: { readonly ms: number; readonly serverMs: number }[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const ms = await tab.goAndSee('/applications', ROW);
    visits.push({ ms, serverMs: await longestCall(tab, '') });
  }
  const [first] = visits;
  const middle = visits.toSorted((one, other) => one.ms - other.ms)[Math.floor(VISITS / 2)]!;
  return [
    timeFigure('the first visit to the list, until rows are seen', first!.ms, 1_000, first!.serverMs),
    timeFigure(`median of ${VISITS} visits`, middle.ms, 1_000, middle.serverMs),
  ];
}

/** Letter by letter; the answer is there when the rows are those of the letters typed so far. */
async function measureSearch(tab: Tab): Promise<readonly Figure[]> {
  await tab.goAndSee('/applications', ROW);
  const field = tab.page.getByLabel('Search applications by name');
  const answers: number[] = [];
  const calls: number[] = [];
  for (const text of SEARCHES) {
    await field.fill('');
    await tab.see(isAnswered(''));
    await field.focus();
    for (let length = 1; length <= text.length; length += 1) {
      await tab.page.keyboard.press(text[length - 1]!);
      const typed = text.slice(0, length);
      const seenAt = await tab.see(isAnswered(typed));
      answers.push(seenAt - (await tab.page.evaluate<number>('fairwayProbe.inputAt')));
      calls.push(await longestCall(tab, typed));
    }
  }
  const sorted = answers.toSorted((one, other) => one - other);
  const p95 = sorted[Math.floor(sorted.length * 0.95)]!;
  return [
    timeFigure(`search, median of ${answers.length} letters, until the answer is seen`, median(answers), 100, median(calls)),
    { what: 'search, 95th of 100, and the slowest', measured: `${round(p95)} and ${round(sorted.at(-1)!)} ms` },
  ];
}

async function measureChanges(tab: Tab, api: KubeApi, names: readonly string[]): Promise<readonly Figure[]> {
  await tab.goAndSee('/applications', ROW);
  const before = await tab.taskMs();
  let changes = 0;
  const smoothness = await tab.watch(async () => {
    const begin = performance.now();
    const pending: Promise<unknown>[] = [];
    while (performance.now() - begin < CHANGING_MS) {
      // Half of them are in sight.
      const name = names[changes % 2 === 0 ? changes % 24 : (changes * 37) % names.length]!;
      const health = { status: changes % 3 === 0 ? 'Progressing' : 'Healthy', message: `change ${changes}` };
      pending.push(api.patch(types.applications, { namespace: 'argocd', name }, { type: 'merge', body: { status: { health } } }));
      changes += 1;
      await pause(begin + (changes * 1_000) / CHANGES_PER_SECOND - performance.now());
    }
    await Promise.all(pending);
  });
  const seconds = CHANGING_MS / 1_000;
  const busy = ((await tab.taskMs()) - before) / (seconds * 10);
  return [
    {
      what: `${round(changes / seconds)} changes a second for ${seconds} s: longest task of the page`,
      measured: `${round(smoothness.longTaskMsMax)} ms (${smoothness.longTasks} over 50 ms), page thread busy ${round(busy)} %`,
      goal: '100 ms',
      isReached: smoothness.longTaskMsMax <= 100,
    },
    {
      what: 'frames meanwhile',
      measured: `${round(smoothness.framesPerSecond)} a second, longest wait ${round(smoothness.frameMsMax)} ms`,
    },
  ];
}

async function measureScroll(tab: Tab, count: number): Promise<Figure> {
  await tab.goAndSee('/applications', ROW);
  await tab.page.getByRole('table').hover();
  const smoothness = await tab.watch(async () => {
    for (let step = 0; step < 150; step += 1) {
      await tab.page.mouse.wheel(0, Math.ceil((count * 48) / 150));
      await pause(20);
    }
  });
  return {
    what: 'scrolling from the first to the last',
    measured: `${round(smoothness.framesPerSecond)} frames a second, longest task ${round(smoothness.longTaskMsMax)} ms`,
  };
}

/** After all that was read above: the pages that the list keeps are full. */
async function measureMemory(tab: Tab): Promise<Figure> {
  const { scriptsMb, processMb } = await tab.memory();
  return {
    what: 'memory of the tab after that',
    measured: `${round(processMb)} MB, of which scripts ${round(scriptsMb)} MB`,
    goal: '150 MB',
    isReached: processMb <= 150,
  };
}

/** Of calls for lists with this search, the longest of the last second. */
function longestCall(tab: Tab, search: string): Promise<number> {
  return tab.page.evaluate<number>(`Math.max(0, ...performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/api/v1/applications?') && (new URL(name).searchParams.get('search') ?? '') === ${JSON.stringify(search)})
    .map(({ requestStart, responseEnd }) => responseEnd - requestStart).slice(-1))`);
}

function isAnswered(search: string): string {
  return `document.querySelector('.list-page-body') !== null
    && document.querySelector('.list-page-body').dataset.fromBefore === undefined
    && performance.getEntriesByType('resource').some(({ name }) => name.includes('limit=100') && name.includes('/api/v1/applications?')
      && (new URL(name).searchParams.get('search') ?? '') === ${JSON.stringify(search)})`;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
