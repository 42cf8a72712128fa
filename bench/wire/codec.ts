import { Buffer } from 'node:buffer';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { messageCodec, parseJsonText } from '../../src/contract/index.ts';
import { buildRegistry } from '../support/build-registry.ts';
import { interleave } from '../support/interleave.ts';
import type { Contender } from '../support/interleave.ts';
import { createRealisticApplications } from '../support/realistic-applications.ts';

const APPLICATIONS = 1000;
const MESSAGE = 'argoproj.v1alpha1.ApplicationList';

interface Pair {
  readonly work: string;
  readonly bytes: number;
  readonly ours: Contender;
  readonly peer: Contender;
}

/** A list of applications both ways, as protobuf beside `@bufbuild/protobuf` and as JSON beside the bare `JSON` functions. */
export function measureCodec(): void {
  const pairs = preparePairs();
  const medians = interleave(
    pairs.flatMap(({ ours, peer }) => [ours, peer]),
    { budgetMs: 6_000 },
  );
  console.log(`A list of ${APPLICATIONS} applications (median of interleaved rounds, one thread)`);
  console.table(
    pairs.map(({ work, bytes, ours, peer }) => ({
      work,
      MB: round(bytes / 1e6, 2),
      'ours MB/s': round(bytes / 1e3 / medians.get(ours.name)!, 0),
      'peer MB/s': round(bytes / 1e3 / medians.get(peer.name)!, 0),
      peer: peer.name,
      'ours / peer': round(medians.get(peer.name)! / medians.get(ours.name)!, 2),
    })),
  );
}

function preparePairs(): Pair[] {
  const codec = messageCodec(MESSAGE);
  const value = { metadata: { resourceVersion: '123' }, items: createRealisticApplications(APPLICATIONS) };
  const text = JSON.stringify(value);
  const body = Buffer.from(text);
  const bytes = codec.encode(value);
  const schema = buildRegistry().getMessage(MESSAGE)!;
  const message = fromBinary(schema, bytes);
  // As in a server: what is sent was read before, and is not a literal of this program.
  const stored = codec.decode(bytes);
  return [
    {
      work: 'protobuf encode',
      bytes: bytes.length,
      ours: { name: 'encode', run: () => codec.encode(stored) },
      peer: { name: 'toBinary', run: () => toBinary(schema, message) },
    },
    {
      work: 'protobuf decode',
      bytes: bytes.length,
      ours: { name: 'decode', run: () => codec.decode(bytes) },
      peer: { name: 'fromBinary', run: () => fromBinary(schema, bytes) },
    },
    {
      work: 'JSON encode',
      bytes: body.length,
      ours: { name: 'toJson + stringify', run: () => JSON.stringify(codec.toJson(stored)) },
      peer: { name: 'JSON.stringify', run: () => JSON.stringify(stored) },
    },
    {
      work: 'JSON decode',
      bytes: body.length,
      ours: { name: 'parseJsonText + fromJson', run: () => codec.fromJson(parseJsonText(body)) },
      peer: { name: 'toString + JSON.parse', run: () => JSON.parse(body.toString()) as unknown },
    },
  ];
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
