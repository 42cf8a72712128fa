import type { KubeApi } from '../../src/kube/index.ts';
import { kinds } from '../../test/support/kinds.ts';
import { median } from '../support/interleave.ts';
import { LARGE } from './create-large-application.ts';
import { pause } from './measure-list.ts';
import type { Tab } from './open-tab.ts';
import { round, timeFigure, type Figure } from './report.ts';

const CHANGES = 12;
const MOVES = 120;
const CARD = `document.querySelector('.node')`;

/** The tree of a large application: laid out, moved, zoomed, and with one resource that changes. */
export async function measureTree(tab: Tab, api: KubeApi): Promise<readonly Figure[]> {
  return [
    ...(await measureLayout(tab)),
    await measureMoves(tab, 'pan', false),
    ...(await measureChanges(tab, api)),
    await measureMoves(tab, 'zoom', true),
    await measureMemory(tab),
  ];
}

async function measureLayout(tab: Tab): Promise<readonly Figure[]> {
  const seenAt = await tab.goAndSee(`/applications/argocd/${LARGE}`, CARD);
  const { begin, end } = await tab.page.evaluate<{ begin: number; end: number }>(`(() => {
    const { requestStart, responseEnd } = performance.getEntriesByType('resource').find(({ name }) => name.includes('/resource-tree'));
    return { begin: requestStart, end: responseEnd };
  })()`);
  return [
    {
      what: 'from the navigation until the tree is seen',
      measured: `${round(seenAt)} ms; server's answer with the tree ${round(end - begin)} ms`,
    },
    timeFigure('first layout: from the answer until boxes are seen', seenAt - end, 1_000),
  ];
}

/** By the wheel, as a hand moves it. */
async function measureMoves(tab: Tab, what: string, isZoom: boolean): Promise<Figure> {
  await tab.page.locator('.graph-screen').hover();
  if (isZoom) await tab.page.keyboard.down('Control');
  const smoothness = await tab.watch(async () => {
    for (let move = 0; move < MOVES; move += 1) {
      const direction = move % 60 < 30 ? 1 : -1;
      await tab.page.mouse.wheel(0, direction * (isZoom ? 12 : 120));
      await pause(12);
    }
  });
  if (isZoom) await tab.page.keyboard.up('Control');
  return {
    what: `${what}, ${MOVES} moves`,
    measured: `${round(smoothness.framesPerSecond)} frames a second, longest wait ${round(smoothness.frameMsMax)} ms, longest task ${round(smoothness.longTaskMsMax)} ms`,
    goal: '50 frames a second',
    isReached: smoothness.framesPerSecond >= 50,
  };
}

/** A pod that is in sight gets another state; from the write until another box is seen, and from the message until then. */
async function measureChanges(tab: Tab, api: KubeApi): Promise<readonly Figure[]> {
  const id = await tab.page.evaluate<string>(`[...document.querySelectorAll('.node')].find(({ dataset, offsetTop }) => {
    const box = document.querySelector('[data-node="' + dataset.node + '"]').getBoundingClientRect();
    return dataset.node.startsWith('apps/Deployment/') && box.top > 200 && box.bottom < innerHeight;
  }).dataset.node`);
  const name = id.split('/').at(-1) ?? '';
  const [whole, browser]: [number[], number[]] = [[], []];
  for (let change = 0; change < CHANGES; change += 1) {
    const isPaused = change % 2 === 0;
    const before = await tab.page.evaluate<string>(`document.querySelector('[data-node="${id}"]').dataset.tone`);
    await tab.page.evaluate('fairwayProbe.reset()');
    const seen = tab.see(`document.querySelector('[data-node="${id}"]')?.dataset.tone !== ${JSON.stringify(before)}`);
    const writtenAt = Date.now();
    await api.patch(kinds.deployment, { namespace: LARGE, name }, { type: 'merge', body: { spec: { paused: isPaused } } });
    const seenAt = await seen;
    // The first whole tree that came after the write.
    const { origin, parsedAt } = await tab.page.evaluate<{ origin: number; parsedAt: number }>(`(() => {
      const before = fairwayProbe.parses.filter(({ at }) => at < ${seenAt});
      const longest = Math.max(...before.map(({ length }) => length));
      return { origin: performance.timeOrigin, parsedAt: before.find(({ length }) => length > longest / 2).at };
    })()`);
    whole.push(origin + seenAt - writtenAt);
    browser.push(seenAt - parsedAt);
    // A quiet while: each is a change by itself.
    await pause(700);
  }
  return [
    timeFigure(`one changed node, median of ${CHANGES}: from the message until it is redrawn`, median(browser), 100),
    {
      what: 'the same, from the write on; and the slowest of the browser',
      measured: `${round(median(whole))} ms; ${round(Math.max(...browser))} ms`,
    },
  ];
}

async function measureMemory(tab: Tab): Promise<Figure> {
  const { scriptsMb, processMb } = await tab.memory();
  return { what: 'memory of the tab after that', measured: `${round(processMb)} MB, of which scripts ${round(scriptsMb)} MB` };
}
