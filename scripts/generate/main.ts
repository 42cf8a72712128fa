/** Writes everything that is derived from `proto/` into `src/contract/gen/`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readContract } from './read-contract.ts';
import { writeSchema } from './write-schema.ts';
import { writeTypes } from './write-types.ts';

const OUT = new URL('../../src/contract/gen/', import.meta.url);

const contract = readContract();
mkdirSync(OUT, { recursive: true });
writeFileSync(new URL('schema.ts', OUT), writeSchema(contract));
writeFileSync(new URL('types.ts', OUT), writeTypes(contract));
