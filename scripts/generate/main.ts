/**
 * Writes everything that is derived from `proto/` into `src/contract/gen/`, or into the directory named by `--out`
 * (which is how the check compares a fresh run with what is committed), and the pages below `docs/` that are made from tables of tests.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeOpenApi } from './openapi/write-openapi.ts';
import { makePages } from './pages/pages.ts';
import { readContract } from './read-contract.ts';
import { writeCustomSchemas } from './write-custom-schemas.ts';
import { writeRestRoutes } from './write-rest-routes.ts';
import { writeSchema } from './write-schema.ts';
import { writeTypes } from './write-types.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = values.out ?? fileURLToPath(new URL('../../src/contract/gen/', import.meta.url));

const contract = readContract();
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'schema.ts'), writeSchema(contract));
writeFileSync(join(out, 'rest-routes.ts'), writeRestRoutes(contract));
writeFileSync(join(out, 'types.ts'), writeTypes(contract));
writeFileSync(join(out, 'openapi.json'), writeOpenApi(contract));
writeFileSync(join(out, 'custom-schemas.json'), writeCustomSchemas(contract));

if (values.out === undefined) {
  const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
  for (const [name, text] of makePages()) writeFileSync(join(docs, name), text);
}
