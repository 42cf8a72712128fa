import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object with a record of itself, in the form in which `kubectl apply` leaves it. */
export function withLastApplied(object: KubeObject): KubeObject {
  const { [ANNOTATION]: _record, ...annotations } = object.metadata.annotations ?? {};
  const bare = { ...object, metadata: { ...object.metadata, annotations } };
  const text = `${escapeMarkup(canonicalJson(bare as unknown as JsonValue))}\n`;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [ANNOTATION]: text } } };
}

/** What was applied last; empty where there is no record, or one that nobody can read. */
export function lastAppliedOf(live: KubeObject): JsonObject {
  const text = live.metadata.annotations?.[ANNOTATION];
  if (text === undefined) return {};
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    // Somebody wrote something else there: then nothing is known of what was applied, and nothing is removed for it.
    return {};
  }
}

/** As Go writes JSON: so that a record which `kubectl` or Argo CD made of the same object is the same text. */
function escapeMarkup(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
