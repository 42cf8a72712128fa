/** How the web interface feels in a real Chromium, with very many applications, resources and lines: browser and server told apart. */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensureUi } from '../../scripts/build/build-ui.ts';
import { connectToFairway } from '../../test/support/connect-to-fairway.ts';
import { startFairway, type Fairway } from '../../test/support/fairway.ts';
import { createGitRepository } from '../../test/support/git-repository.ts';
import { signInAsAdmin } from '../../test/support/rest-caller.ts';
import { createLargeApplication } from './create-large-application.ts';
import { fillHome } from './fill-home.ts';
import { measureList } from './measure-list.ts';
import { measureLoad } from './measure-load.ts';
import { measureLogs } from './measure-logs.ts';
import { measureTree } from './measure-tree.ts';
import { openTab, type Tab } from './open-tab.ts';
import { readOptions, USAGE, type Section, type UiBenchOptions } from './read-options.ts';
import { printFigures, type Figure } from './report.ts';

try {
  await run(readOptions(process.argv.slice(3)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(USAGE);
}

async function run(options: UiBenchOptions): Promise<void> {
  await ensureUi(fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, ''));
  // The lists first, in a home of their own: what the large application does there is not theirs.
  await inHome(
    options.sections.filter((section) => section === 'load' || section === 'list'),
    options,
  );
  await inHome(
    options.sections.filter((section) => section === 'tree' || section === 'logs'),
    options,
  );
}

async function inHome(sections: readonly Section[], options: UiBenchOptions): Promise<void> {
  if (sections.length === 0) return;
  const [fairway, repository] = [await startFairway(), await createGitRepository()];
  try {
    const api = await connectToFairway(fairway);
    if (sections.includes('tree') || sections.includes('logs'))
      await createLargeApplication(await signInAsAdmin(fairway), repository, sections.includes('tree') ? options.nodes : 50);
    const measures: Readonly<Record<Section, (tab: Tab) => Promise<readonly Figure[]>>> = {
      load: measureLoad,
      list: async (tab) => measureList(tab, api, await fillHome(api, options.applications)),
      tree: (tab) => measureTree(tab, api),
      logs: (tab) => measureLogs(tab, options.lines),
    };
    const titles: Readonly<Record<Section, string>> = {
      load: 'First load',
      list: `${options.applications} applications`,
      tree: `A tree of ${options.nodes} resources`,
      logs: `A log of ${options.lines} lines`,
    };
    for (const section of sections) await inTab(fairway, titles[section], measures[section]);
    await api.close();
  } finally {
    await fairway.stop();
    await repository.remove();
  }
}

/** A measurement, not a test: what could not be measured is said, and the rest goes on. */
async function inTab(fairway: Fairway, title: string, measure: (tab: Tab) => Promise<readonly Figure[]>): Promise<void> {
  const tab = await openTab(fairway);
  try {
    const figures = await measure(tab);
    printFigures(`${title} (load average ${loadavg()[0]?.toFixed(1)})`, figures);
  } catch (error) {
    console.error(`${title}:`, error);
  } finally {
    await tab.close();
  }
}
