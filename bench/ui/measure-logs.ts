import { LARGE } from './create-large-application.ts';
import { pause } from './measure-list.ts';
import type { Tab } from './open-tab.ts';
import { round, type Figure } from './report.ts';

/** A log of so many lines, read from its beginning and scrolled. The server's part is played by the browser's own tools. */
export async function measureLogs(tab: Tab, lines: number): Promise<readonly Figure[]> {
  const body = createBody(lines);
  await tab.page.route('**/logs?*', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
  await tab.goAndSee(`/applications/argocd/${LARGE}`, `document.querySelector('.node')`);
  const before = await tab.memory();
  const reading = await tab.watch(async () => {
    await tab.page.getByRole('tab', { name: 'Logs' }).click();
    await tab.see(`document.querySelector('.log')?.textContent.includes('line ${lines - 1} ')`);
  });
  await tab.page.locator('.log').hover();
  const scrolling = await tab.watch(async () => {
    for (let step = 0; step < 200; step += 1) {
      await tab.page.mouse.wheel(0, step < 100 ? -3_000 : -60);
      await pause(12);
    }
  });
  const searching = await tab.watch(async () => {
    await tab.page.getByLabel('Search in the log').pressSequentially('line 99');
    await tab.see(`document.querySelector('.logs-bar').textContent.includes(' lines')`);
  });
  const after = await tab.memory();
  return [
    { what: `reading ${lines} lines (${round(body.length / 1e6)} MB)`, measured: `longest task ${round(reading.longTaskMsMax)} ms` },
    {
      what: 'scrolling',
      measured: `${round(scrolling.framesPerSecond)} frames a second, longest task ${round(scrolling.longTaskMsMax)} ms`,
      goal: '50 frames a second',
      isReached: scrolling.framesPerSecond >= 50,
    },
    { what: 'searching in them', measured: `longest task ${round(searching.longTaskMsMax)} ms` },
    {
      what: 'memory of the tab',
      measured: `${round(after.processMb)} MB, scripts ${round(after.scriptsMb)} MB, ${round(after.scriptsMb - before.scriptsMb)} MB more than before the log`,
    },
  ];
}

function createBody(lines: number): string {
  const parts: string[] = [];
  for (let index = 0; index < lines; index += 1) {
    const timeStampStr = new Date(1_700_000_000_000 + index * 10).toISOString();
    const content = `line ${index} GET /orders/${index % 977} 200 ${index % 83} ms user=${index % 1_013} a text of an ordinary length`;
    parts.push(
      `data:${JSON.stringify({ result: { content, timeStamp: timeStampStr, timeStampStr, podName: `part-${index % 3}`, last: false } })}\n\n`,
    );
  }
  return parts.join('');
}
