import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../src/objects/index.ts';

const FOLDER = join(import.meta.dirname, 'manifests');

/** Manifests of built-in kinds as people write them; each has a name of its own. */
export function manifestCorpus(): readonly KubeObject[] {
  return readdirSync(FOLDER).flatMap((file) =>
    parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS() as KubeObject),
  );
}
