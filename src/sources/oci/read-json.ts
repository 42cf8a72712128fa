import type { JsonValue } from '../../objects/index.ts';

/** What a server answered; undefined where it is no JSON. */
export function readJson(body: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as JsonValue;
  } catch {
    return undefined;
  }
}
