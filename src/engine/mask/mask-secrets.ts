import { isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { annotationOf, annotations, withAnnotation } from '../annotations.ts';

/** What stands for the first value of a key; each other value of the same key is four longer, so that a difference can be seen. */
const MASK_LENGTH = 8;
const MASK_STEP = 4;
/** The fields of a Secret that say nothing of its values. */
const OPEN_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable']);

export interface SecretPair {
  readonly target: KubeObject | undefined;
  readonly live: KubeObject | undefined;
}

/** Whether the values of an object are nobody's to see. */
export function isSecret(object: KubeObject | undefined): boolean {
  return object?.apiVersion === 'v1' && object.kind === 'Secret';
}

/** An object with its values masked where it is a Secret; any other as it is. */
export function maskSecret(object: KubeObject, sensitiveAnnotations: readonly string[] = []): KubeObject {
  return maskSecrets({ target: undefined, live: object }, sensitiveAnnotations).live ?? object;
}

/**
 * Two states of a Secret with their values masked, also in their records of what was applied last. Equal values have equal masks, and
 * different ones different masks, so that what differs can still be seen.
 */
export function maskSecrets(pair: SecretPair, sensitiveAnnotations: readonly string[] = []): SecretPair {
  if (!isSecret(pair.target) && !isSecret(pair.live)) return pair;
  const masks = new Masks();
  const [target, live] = [pair.target, pair.live].map((object) => object && withPlainData(object));
  const [targetRecord, liveRecord] = [pair.target, pair.live].map(readRecord);
  const maskOne = (object: KubeObject | undefined): KubeObject | undefined => object && maskValues(object, masks, sensitiveAnnotations);
  // In this order: it decides which value gets the shortest mask.
  const [maskedTarget, maskedLive] = [maskOne(target), maskOne(live)];
  const records = [targetRecord, liveRecord].map((record) => (record === 'none' || record === 'broken' ? record : maskOne(record)));
  return { target: withRecord(maskedTarget, records[0]), live: withRecord(maskedLive, records[1]) };
}

class Masks {
  readonly #known = new Map<string, Map<string, string>>();

  of(key: string, value: JsonValue): string {
    const values = this.#known.get(key) ?? new Map<string, string>();
    this.#known.set(key, values);
    const text = JSON.stringify(value);
    const mask = values.get(text) ?? '+'.repeat(MASK_LENGTH + MASK_STEP * values.size);
    values.set(text, mask);
    return mask;
  }
}

function maskValues(object: KubeObject, masks: Masks, sensitiveAnnotations: readonly string[]): KubeObject {
  const entries = Object.entries(object).map(
    ([name, value]) => [name, OPEN_FIELDS.has(name) ? value : maskField(name, value, masks)] as const,
  );
  let masked = Object.fromEntries(entries) as KubeObject;
  for (const name of sensitiveAnnotations) {
    const value = annotationOf(masked, name);
    if (value !== '') masked = withAnnotation(masked, name, masks.of(`annotations/${name}`, value));
  }
  return masked;
}

/** The values of the data one by one. Anything else that a Secret does not have may be data with a slip of the pen. */
function maskField(name: string, value: KubeObject[string], masks: Masks): JsonValue {
  if (name !== 'data' || !isJsonObject(value)) return '+'.repeat(MASK_LENGTH);
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, masks.of(`data/${key}`, own)]));
}

/** What was given as text is data too. */
function withPlainData(object: KubeObject): KubeObject {
  const text = object['stringData'];
  if (!isJsonObject(text)) return object;
  const { stringData: _text, ...rest } = object;
  const data = isJsonObject(object['data']) ? object['data'] : {};
  const encoded = Object.entries(text).map(([key, value]) => [key, encodeText(value)] as const);
  return { ...rest, data: Object.fromEntries([...Object.entries(data), ...encoded]) } as KubeObject;
}

function readRecord(object: KubeObject | undefined): KubeObject | 'none' | 'broken' {
  const text = annotationOf(object, annotations.lastApplied);
  if (text === '') return 'none';
  try {
    const value = JSON.parse(text) as JsonObject;
    return isJsonObject(value) && isJsonObject(value['metadata']) ? withPlainData(value as unknown as KubeObject) : 'broken';
  } catch {
    // It is shown to nobody then, as nobody knows what is in it.
    return 'broken';
  }
}

function withRecord(object: KubeObject | undefined, record: KubeObject | 'none' | 'broken' | undefined): KubeObject | undefined {
  if (object === undefined || record === 'none' || record === undefined) return object;
  return withAnnotation(object, annotations.lastApplied, record === 'broken' ? '+'.repeat(MASK_LENGTH) : JSON.stringify(record));
}

function encodeText(value: JsonValue): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');
}
