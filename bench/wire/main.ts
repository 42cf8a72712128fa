/** What the wire costs: the codec. */
import { measureCodec } from './codec.ts';

measureCodec();
