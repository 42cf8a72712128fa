/** What it costs to know who somebody is and what they may do. */
import { measureAuthentication } from './calls.ts';
import { measureFilter } from './filter.ts';

// A measurement, not a test: what could not be measured is said, and the rest goes on.
for (const measure of [measureFilter, measureAuthentication])
  await measure().catch((error: unknown) => console.error(`${measure.name}:`, error));
