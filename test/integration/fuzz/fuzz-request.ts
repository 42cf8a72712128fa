/** Requests that nobody would make, for any method of the contract. */
import fc from 'fast-check';
import type { JsonObject, JsonValue, MethodSchema } from '../../../src/contract/index.ts';
import { CONTRACT_REQUESTS } from '../../conformance/contract/requests.ts';
import type { Things } from '../../conformance/contract/things.ts';
import { arbitraryMessage } from '../../support/arbitrary-message.ts';

export type Transport = 'REST' | 'gRPC';

export interface FuzzRequest {
  readonly method: MethodSchema;
  readonly transport: Transport;
  /** Whether the caller is signed in. */
  readonly isKnown: boolean;
  /** `message`: a request that can be written; `bytes`: anything at all where a request is expected. */
  readonly content: { readonly kind: 'message'; readonly value: JsonObject } | { readonly kind: 'bytes'; readonly value: Uint8Array };
}

/** Values at the edges of what a field may hold, or beyond. */
const EDGES: readonly JsonValue[] = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '/',
  '*',
  '[',
  '(a+)+$',
  '__proto__',
  'constructor',
  '\u0000',
  '\r\n\r\nx: y',
  '\ud83d\ude00'.repeat(64),
  'x'.repeat(253),
  'x'.repeat(254),
  'x'.repeat(70_000),
  '{{range $i := until 1000000}}x{{end}}',
  '-1',
  '9223372036854775808',
  '1e400',
  'null',
  'https://[::1',
  'file:///etc/passwd',
  'oci://-x',
  'ssh://-oProxyCommand=x/y',
  0,
  -1,
  2 ** 31,
  2 ** 53 - 1,
  -(2 ** 53) + 1,
  true,
  false,
  null,
  [],
  {},
];

/** Draws requests, the same ones for the same seed. */
export function* drawRequests(methods: readonly MethodSchema[], things: Things, seed: number): Generator<FuzzRequest, never> {
  const perRound = 20;
  for (let round = 0; ; round += 1) {
    const drawn = methods.map((method, index) =>
      fc.sample(contentOf(method, things), { numRuns: perRound, seed: seed + round * 1_000 + index }),
    );
    const callers = fc.sample(fc.integer({ min: 0, max: 3 }), { numRuns: perRound * methods.length, seed: seed + round });
    for (let turn = 0; turn < perRound; turn += 1)
      for (const [index, method] of methods.entries()) {
        const content = drawn[index]?.[turn];
        if (content === undefined) continue;
        // Each method by both ways within two turns, and three times in four by somebody who is signed in.
        const transport = (turn + index) % 2 === 0 ? 'REST' : 'gRPC';
        yield { method, transport, isKnown: callers[turn * methods.length + index] !== 0, content };
      }
  }
}

function contentOf(method: MethodSchema, things: Things): fc.Arbitrary<FuzzRequest['content']> {
  const good = CONTRACT_REQUESTS[method.path.slice(1)]?.request(things) ?? {};
  const message = (arbitrary: fc.Arbitrary<JsonValue>) =>
    arbitrary.map((value) => ({ kind: 'message' as const, value: (value ?? {}) as JsonObject }));
  return fc.oneof(
    { weight: 3, arbitrary: message(arbitraryMessage(method.input, 'any')) },
    { weight: 5, arbitrary: message(spoil(good)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((value) => ({ kind: 'bytes' as const, value })) },
  );
}

/** A good request in which up to three values are others. */
function spoil(good: JsonObject): fc.Arbitrary<JsonValue> {
  const places = placesIn(good, []);
  if (places.length === 0) return fc.constant(good);
  const change = fc.tuple(fc.constantFrom(...places), fc.oneof(fc.constantFrom(...EDGES), fc.string({ unit: 'binary', maxLength: 40 })));
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const spoiled = structuredClone(good);
    for (const [place, value] of changes) setAt(spoiled, place, structuredClone(value));
    return spoiled;
  });
}

function placesIn(value: JsonValue, above: readonly (string | number)[]): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [above];
  const inner = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  const below = inner.flatMap(([name, item]) => placesIn(item, [...above, name]));
  return above.length === 0 ? below : [above, ...below];
}

function setAt(target: JsonObject, place: readonly (string | number)[], value: JsonValue): void {
  let holder: unknown = target;
  for (const name of place.slice(0, -1)) holder = (holder as Record<string | number, unknown> | null)?.[name];
  // A change before this one may have taken the place away.
  if (typeof holder === 'object' && holder !== null) (holder as Record<string | number, unknown>)[place.at(-1) ?? ''] = value;
}
