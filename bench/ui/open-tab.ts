import { readFileSync } from 'node:fs';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import type { Fairway } from '../../test/support/fairway.ts';
import { ensureChromium } from '../../test/ui/support/find-chromium.ts';
import { describeSmoothness, PROBE, type ProbeNotes, type Smoothness } from './probe.ts';

const PATIENCE_MS = 60_000;

/** One tab of a browser of its own, with the probe in it and the admin signed in. */
export interface Tab {
  readonly page: Page;
  /** Goes to a path; answers with when something was first seen, in milliseconds since the navigation began. */
  readonly goAndSee: (path: string, condition: string) => Promise<number>;
  /** The next frame in which a condition (an expression of the page's own language) holds, in milliseconds since the navigation began. */
  readonly see: (condition: string) => Promise<number>;
  /** Does something, and says how smooth the page was meanwhile. */
  readonly watch: (work: () => Promise<unknown>) => Promise<Smoothness>;
  readonly memory: () => Promise<TabMemory>;
  /** Processor time of the page's own thread, in milliseconds. */
  readonly taskMs: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface TabMemory {
  /** In use by scripts, after a collection. */
  readonly scriptsMb: number;
  /** What the tab's process has to itself, as the browser's own task list counts it. */
  readonly processMb: number;
}

export async function openTab({ url, adminPassword }: Fairway): Promise<Tab> {
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const answer = await context.request.post('/api/v1/session', { data: { username: 'admin', password: adminPassword } });
  if (!answer.ok()) throw new Error(`nobody could sign in: ${await answer.text()}`);
  const page = await context.newPage();
  await page.addInitScript(PROBE);
  const tools = await context.newCDPSession(page);
  await tools.send('Performance.enable');
  const machine = await browser.newBrowserCDPSession();
  const see: Tab['see'] = (condition) => page.evaluate<number>(`fairwayProbe.when(() => ${condition})`);
  return {
    page,
    see,
    async goAndSee(path, condition) {
      await page.goto(path, { waitUntil: 'commit' });
      return see(condition);
    },
    async watch(work) {
      await page.evaluate('fairwayProbe.reset()');
      await work();
      return describeSmoothness(await page.evaluate<ProbeNotes>('({ frames: fairwayProbe.frames, longTasks: fairwayProbe.longTasks })'));
    },
    async memory() {
      await tools.send('HeapProfiler.collectGarbage');
      const { processInfo } = await machine.send('SystemInfo.getProcessInfo');
      const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => readPrivateMb(id));
      return { scriptsMb: (await readMetric(tools, 'JSHeapUsedSize')) / 1e6, processMb: Math.max(...renderers) };
    },
    taskMs: async () => (await readMetric(tools, 'TaskDuration')) * 1_000,
    close: () => browser.close(),
  };
}

async function readMetric(tools: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await tools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? NaN;
}

/** Memory that no other process shares and no file holds; NaN where the system does not tell. */
function readPrivateMb(pid: number): number {
  try {
    return Number(/^RssAnon:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
  } catch {
    // Not a system with such files, or the process is gone.
    return NaN;
  }
}
