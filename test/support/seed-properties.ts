import { configureGlobal } from 'fast-check';

/**
 * Property tests draw the same values in every run, so that a change is judged by what it does and not by luck.
 * FAIRWAY_TEST_SEED=random, or a number, looks at others; a failure prints the seed that repeats it.
 */
const wanted = process.env['FAIRWAY_TEST_SEED'];
if (wanted !== 'random') configureGlobal({ seed: Number(wanted ?? 20_261_115) });
