import { expect, it } from 'vitest';
import { runSoak } from '../support/soak/run-soak.ts';
import { isFlat } from '../support/soak/soak-samples.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

/** Longer with `npm run soak`. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 1.25);
const SEED = Number(process.env['SOAK_SEED'] ?? 1);
const APPLICATIONS = Number(process.env['SOAK_APPLICATIONS'] ?? 12);
/** Of a level: what may come on top of it from the first third to the end, as caches fill. */
const RISE_SHARE = 0.1;

describeWithTool('kube-apiserver', 'Everything at once, for a while', () => {
  it('comes to the truth, keeps no more than before, and logs no error', { timeout: (MINUTES + 10) * 60_000 }, async () => {
    const outcome = await runSoak({ durationMs: MINUTES * 60_000, seed: SEED, applications: APPLICATIONS });
    const { counts, problems, differences, strayWatchers, errors, trends, ...rest } = outcome;
    process.stdout.write(`${JSON.stringify({ seed: SEED, minutes: MINUTES, counts, trends, ...rest }, null, 2)}\n`);
    expect({ differences, strayWatchers, problems, errors }).toEqual({
      differences: [],
      strayWatchers: [],
      problems: [],
      errors: [],
    });
    for (const what of ['commit', 'drift', 'pod churn', 'sync', 'list', 'kill', 'outage of the far cluster'])
      expect(counts[what], what).toBeGreaterThan(0);
    const rising = Object.entries(trends).filter(([, trend]) => !isFlat(trend, RISE_SHARE));
    expect(rising).toEqual([]);
  });
});
