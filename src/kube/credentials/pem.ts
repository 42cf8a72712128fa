import { resolve } from 'node:path';
import { refuse } from './check-credentials.ts';
import type { Pem } from './credentials.ts';
import type { Fields } from './fields.ts';

/** PEM from a field in base64, or from a field that names a file beside the configuration; the data counts where both are there. */
export function readPem(fields: Fields, names: { readonly data: string; readonly file?: string }, folder?: string): Pem | undefined {
  const data = fields.text(names.data);
  if (data !== undefined) return { pem: decodePem(data, names.data) };
  const file = names.file === undefined ? undefined : fields.text(names.file);
  return file === undefined ? undefined : { file: folder === undefined ? file : resolve(folder, file) };
}

function decodePem(data: string, name: string): string {
  const pem = Buffer.from(data, 'base64').toString('latin1');
  if (!pem.includes('-----BEGIN ')) refuse(`${name} is not PEM in base64`);
  return pem;
}
