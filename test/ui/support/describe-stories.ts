import { describe } from 'vitest';
import { findChromium } from './find-chromium.ts';

/** Stories of people at the web interface. Without a Chromium they are counted as skipped, loudly. */
export function describeStories(title: string, stories: () => void): void {
  const isMissing = findChromium() === undefined;
  if (isMissing) process.stderr.write(`SKIPPED: ${title}: no Chromium is installed (FAIRWAY_CHROMIUM names one)\n`);
  describe.skipIf(isMissing)(isMissing ? `${title} [skipped: no Chromium]` : title, () => {
    stories();
  });
}
