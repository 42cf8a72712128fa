import { isJsonObject, type KubeObject } from '../objects/index.ts';

/** The texts of a ConfigMap by key; what is not a text is left out. */
export function readConfigMapData(object: KubeObject | undefined): ReadonlyMap<string, string> {
  return new Map(textEntries(object?.['data']));
}

/**
 * The contents of a Secret by key, each byte as one character: texts stay comparable, and bytes that are no text survive. `secretText`
 * and `secretBytes` turn them back.
 */
export function readSecretData(object: KubeObject | undefined): ReadonlyMap<string, string> {
  return new Map(textEntries(object?.['data']).map(([key, base64]) => [key, Buffer.from(base64, 'base64').toString('latin1')]));
}

export function secretText(content: string): string {
  return Buffer.from(content, 'latin1').toString('utf8');
}

export function secretBytes(content: string): Uint8Array {
  return new Uint8Array(Buffer.from(content, 'latin1'));
}

export function encodeSecretText(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function textEntries(data: unknown): [string, string][] {
  if (!isJsonObject(data)) return [];
  return Object.entries(data).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}
