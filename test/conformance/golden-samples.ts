import { execFile } from 'node:child_process';
import { messageCodec, methods } from '../../src/contract/index.ts';
import type { FieldSchema, JsonObject, JsonValue } from '../../src/contract/index.ts';

/** One message as the stock client's own types encode it. */
export interface GoldenSample {
  readonly message: string;
  readonly sample: string;
  readonly bytes: Uint8Array;
  /** What the stock types show of `bytes`; undefined where they have no JSON form. */
  readonly json: JsonValue | undefined;
  /** What they show after reading `json` and sending it over the wire; undefined where they refuse to send it. */
  readonly reread: JsonValue | undefined;
}

const LIMIT_MS = 120_000;
const OUTPUT_BYTES_MAX = 256 << 20;

/** Messages that the stock types do not have. */
const OURS: ReadonlySet<string> = new Set(
  ['ApplicationListStats', 'DifferenceIgnoreRule', 'ResourceDifference'].map((name) => `argoproj.v1alpha1.${name}`),
);

/** The full name of every message that a method of the contract sends or receives, also inside another, and that others know too. */
export function listMessages(): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name) || OURS.has(name)) return;
    found.add(name);
    for (const field of messageCodec(name).schema.fields) {
      const inner = messageOf(field);
      if (inner !== undefined) visit(inner);
    }
  };
  for (const method of methods) {
    visit(method.input);
    visit(method.output);
  }
  return [...found].sort();
}

/** Samples of the named messages, by message. */
export async function produceSamples(golden: string, names: readonly string[]): Promise<ReadonlyMap<string, readonly GoldenSample[]>> {
  const samples = new Map<string, GoldenSample[]>();
  for (const line of await run(golden, 'produce', names)) {
    const record = JSON.parse(line) as Omit<GoldenSample, 'bytes'> & { readonly bytes: string | null };
    const sample = { ...record, bytes: Buffer.from(record.bytes ?? '', 'base64') };
    samples.set(sample.message, [...(samples.get(sample.message) ?? []), sample]);
  }
  return samples;
}

/** The JSON that the stock types show for each encoded message, in the same order. */
export async function decodeByStockTypes(
  golden: string,
  encoded: readonly { message: string; bytes: Uint8Array }[],
): Promise<readonly JsonValue[]> {
  const lines = encoded.map(({ message, bytes }) => `${message} ${Buffer.from(bytes).toString('base64')}`);
  return (await run(golden, 'verify', lines)).map((line) => JSON.parse(line) as JsonValue);
}

/** The JSON that the stock types show for each message after reading its JSON and sending it over the wire, in the same order. */
export async function rereadByStockTypes(
  golden: string,
  shown: readonly { message: string; json: unknown }[],
): Promise<readonly JsonValue[]> {
  const lines = shown.map(({ message, json }) => `${message} ${JSON.stringify(json)}`);
  return (await run(golden, 'reread', lines)).map((line) => JSON.parse(line) as JsonValue);
}

/**
 * The stock JSON of a message as we show it. The differences, all without meaning to who reads the JSON into the stock types:
 * - a list or map that is empty and always shown is `[]` or `{}` here and null there, because the Go types cannot tell empty from unset;
 * - what is empty and need not be shown is left out here, and null there if it is a time that was sent as zero;
 * - a list of bytes that the message requires is shown here also when it is empty.
 */
export function asWeShowIt(message: string, json: JsonValue): JsonValue {
  const { schema } = messageCodec(message);
  if (schema.special !== undefined || typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const shown = new Map(Object.entries(json));
  for (const field of schema.fields) {
    if (field.inline) {
      for (const [name, value] of Object.entries(asWeShowIt(messageOf(field)!, json) as object)) shown.set(name, value as JsonValue);
      continue;
    }
    const value = fieldAsWeShowIt(field, shown.get(field.name));
    if (value === undefined) shown.delete(field.name);
    else shown.set(field.name, value);
  }
  return Object.fromEntries(shown);
}

function fieldAsWeShowIt(field: FieldSchema, value: JsonValue | undefined): JsonValue | undefined {
  const isBytes = field.type.kind === 'scalar' && field.type.scalar === 'bytes';
  if (value === undefined) return isBytes && field.presence === 'required' ? '' : undefined;
  if (value === null) return field.always === 'no' ? undefined : emptyOf(field);
  const inner = messageOf(field);
  if (inner === undefined) return value;
  if (field.repeated) return (value as JsonValue[]).map((each) => asWeShowIt(inner, each));
  if (field.type.kind !== 'map') return asWeShowIt(inner, value);
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, each]) => [key, asWeShowIt(inner, each)]));
}

function emptyOf(field: FieldSchema): JsonValue {
  if (field.repeated) return [];
  return field.type.kind === 'map' ? {} : null;
}

function messageOf(field: FieldSchema): string | undefined {
  const single = field.type.kind === 'map' ? field.type.value : field.type;
  return single.kind === 'message' ? single.message : undefined;
}

function run(golden: string, mode: 'produce' | 'verify' | 'reread', lines: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(golden, [mode], { timeout: LIMIT_MS, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.split('\n').slice(0, -1));
      else reject(new Error(`golden ${mode}: ${stderr}`, { cause: error }));
    });
    child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  });
}
