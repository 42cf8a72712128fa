import { readFileSync } from 'node:fs';
import type { JsonObject } from './codec/json-value.ts';

/** The structural schemas of the contract's custom resources; `{"$ref": "<name>"}` in a schema stands for another of them. */
export interface CustomSchemas {
  /** The name of the schema of each kind. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

/** Reads them anew each time: they are needed once, when the kinds are installed. */
export function readCustomSchemas(): CustomSchemas {
  return JSON.parse(readFileSync(new URL('./gen/custom-schemas.json', import.meta.url), 'utf8')) as CustomSchemas;
}
