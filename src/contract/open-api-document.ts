import { readFile } from 'node:fs/promises';

let text: Promise<string> | undefined;

/** The OpenAPI document of the contract, as JSON text. It is read when first asked for, and once. */
export function readOpenApiDocument(): Promise<string> {
  return (text ??= readFile(new URL('./gen/openapi.json', import.meta.url), 'utf8'));
}
