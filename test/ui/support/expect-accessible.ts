import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

let source: Promise<string> | undefined;

/** Fails where axe finds something that would keep people from using the page. */
export async function expectAccessible(page: Page): Promise<void> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Handed to the page by the browser's own tools: the page's policy would refuse a script of ours.
  await page.evaluate(await source);
  // Colours of what is just coming in are of no lasting moment: people who want no motion see none of them.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(
    'for (const each of document.getAnimations()) if (each.effect.getComputedTiming().endTime !== Infinity) each.finish()',
  );
  const { violations } = await page.evaluate<AxeResult>('axe.run(document, { resultTypes: ["violations"] })');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    serious.map(({ id, nodes }) => ({
      id,
      nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
    })),
  ).toEqual([]);
}
