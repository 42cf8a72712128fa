import { beforeAll, describe, expect, it } from 'vitest';
import { messageCodec } from '../../src/contract/index.ts';
import type { JsonValue } from '../../src/contract/index.ts';
import { stableText } from '../support/stable-text.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { asWeShowIt, decodeByStockTypes, listMessages, produceSamples, rereadByStockTypes } from './golden-samples.ts';
import type { GoldenSample } from './golden-samples.ts';

const PREPARE_MS = 120_000;
/** Nothing set, everything set, and six by chance. */
const SAMPLES_MIN = 8;

/**
 * Messages whose stock JSON holds other messages as YAML text. We write JSON there, which is YAML, and read no more than that, because
 * no request holds them; so their JSON is compared after the stock types have read it.
 */
const WITH_TEXT: ReadonlySet<string> = new Set(['argoproj.v1alpha1.ResourceOverride', 'cluster.Settings']);

/** The generated Go type of a message with a oneof has no JSON form, so its bytes are compared. */
const WITHOUT_JSON = 'application.ApplicationManifestQueryWithFilesWrapper';

interface Sample extends GoldenSample {
  /** What we show of the stock bytes; the error, if we cannot. */
  readonly ours: JsonValue | Error;
  /** What the stock types show of that JSON, and of the bytes that we make of the stock JSON. */
  oursReread?: JsonValue;
  oursDecoded?: JsonValue | Error;
}

describeWithTool('golden', 'the codec and the stock client’s own types agree', (golden) => {
  const names = listMessages();
  const shown = names.filter((name) => name !== WITHOUT_JSON);
  let samples: ReadonlyMap<string, readonly Sample[]>;

  // All messages go through the tool together: starting it is slower than what it does.
  beforeAll(async () => {
    samples = await readSamples(golden(), names);
  }, PREPARE_MS);

  const samplesOf = (name: string): readonly Sample[] => {
    const found = samples.get(name) ?? [];
    expect(found.length).toBeGreaterThanOrEqual(SAMPLES_MIN);
    expect(found.filter((sample) => sample.json === undefined)).toEqual([]);
    return found;
  };

  describe('what they encode, we read as the same JSON', () => {
    it.each(shown.filter((name) => !WITH_TEXT.has(name)))('%s', (name) => {
      const pairs = samplesOf(name).map(({ sample, json, ours }) => ({ sample, ours, theirs: asWeShowIt(name, json!) }));
      expect(oursOf(pairs)).toEqual(theirsOf(pairs));
    });
  });

  describe('what they encode and we show as JSON, they read as the same', () => {
    it.each(shown)('%s', (name) => {
      // Where they refuse to send even their own JSON, there is nothing to compare.
      const sent = samplesOf(name).filter(({ reread }) => reread !== undefined);
      expect(sent).not.toEqual([]);
      const pairs = sent.map(({ sample, reread, oursReread }) => ({ sample, ours: oursReread, theirs: reread }));
      expect(oursOf(pairs)).toEqual(theirsOf(pairs));
    });
  });

  describe('what we encode from their JSON, they read as the same JSON', () => {
    it.each(shown)('%s', (name) => {
      const pairs = samplesOf(name).map(({ sample, json, reread, oursDecoded }) => ({ sample, ours: oursDecoded, theirs: reread ?? json }));
      expect(oursOf(pairs)).toEqual(theirsOf(pairs));
    });
  });

  it(`${WITHOUT_JSON}: what they encode, we read, show, and encode as the same bytes`, () => {
    const codec = messageCodec(WITHOUT_JSON);
    const found = samples.get(WITHOUT_JSON) ?? [];
    expect(found.filter((sample) => sample.bytes.length > 10).length).toBeGreaterThan(1);
    for (const { sample, bytes, ours } of found) {
      expect(ours).not.toBeInstanceOf(Error);
      const encoded = codec.encode(codec.fromJson(ours));
      expect({ sample, bytes: Buffer.from(encoded).toString('hex') }).toEqual({ sample, bytes: Buffer.from(bytes).toString('hex') });
    }
  });
});

/** Sends every sample through our codec and back to the stock types. */
async function readSamples(golden: string, names: readonly string[]): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const produced = await produceSamples(golden, names);
  const samples = new Map<string, Sample[]>();
  for (const [name, list] of produced)
    samples.set(
      name,
      list.map((sample) => ({ ...sample, ours: attempt(() => show(sample)) })),
    );
  const comparable = [...samples.values()].flat().filter((sample) => sample.json !== undefined);

  const shown = comparable.filter((sample) => !(sample.ours instanceof Error));
  const reread = await rereadByStockTypes(
    golden,
    shown.map(({ message, ours }) => ({ message, json: ours })),
  );
  for (const [index, sample] of shown.entries()) sample.oursReread = reread[index]!;

  const encoded: { message: string; bytes: Uint8Array; sample: Sample }[] = [];
  for (const sample of comparable) {
    const codec = messageCodec(sample.message);
    const given = WITH_TEXT.has(sample.message) ? sample.ours : sample.json;
    const bytes = given instanceof Error ? given : attempt(() => codec.encode(codec.fromJson(given)));
    if (bytes instanceof Error) sample.oursDecoded = bytes;
    else encoded.push({ message: sample.message, bytes, sample });
  }
  const decoded = await decodeByStockTypes(golden, encoded);
  for (const [index, { sample }] of encoded.entries()) sample.oursDecoded = decoded[index]!;
  return samples;
}

interface Pair {
  readonly sample: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** Only what differs, by text, is left to the matcher: it would take a minute for all of it. */
const oursOf = (pairs: readonly Pair[]): unknown =>
  pairs.filter(differs).map(({ sample, ours }) => ({ sample, json: ours instanceof Error ? String(ours) : ours }));
const theirsOf = (pairs: readonly Pair[]): unknown => pairs.filter(differs).map(({ sample, theirs }) => ({ sample, json: theirs }));

function differs({ ours, theirs }: Pair): boolean {
  // As text, a failure would be an empty object.
  return ours instanceof Error || stableText(ours) !== stableText(theirs);
}

function show({ message, bytes }: GoldenSample): JsonValue {
  const codec = messageCodec(message);
  return JSON.parse(JSON.stringify(codec.toJson(codec.decode(bytes)))) as JsonValue;
}

/** One message that fails must not keep the others from being compared. */
function attempt<Result>(work: () => Result): Result | Error {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}
