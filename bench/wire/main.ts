/** What the wire costs: the codec, and calls over each transport. */
import { measureCalls } from './calls.ts';
import { measureCodec } from './codec.ts';

measureCodec();
await measureCalls();
