/** What the wire costs: the codec, calls over each transport, and the start of the program. */
import { measureCalls } from './calls.ts';
import { measureCodec } from './codec.ts';
import { measureStart } from './start.ts';

measureCodec();
// A measurement, not a test: what could not be measured is said, and the rest goes on.
for (const measure of [measureCalls, measureStart]) await measure().catch((error: unknown) => console.error(`${measure.name}:`, error));
