import type { ReactElement } from 'react';
import { Badge, type Tone } from '../../design/index.ts';

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['GET', 'good'],
  ['POST', 'busy'],
  ['PUT', 'warn'],
  ['PATCH', 'warn'],
  ['DELETE', 'bad'],
]);

/** What a request does, as HTTP names it. */
export function Verb({ verb }: { readonly verb: string }): ReactElement {
  return <Badge tone={TONES.get(verb) ?? 'mute'}>{verb}</Badge>;
}
