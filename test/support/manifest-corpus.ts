import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';

const FOLDER = join(import.meta.dirname, 'manifests');

/** Manifests as people write them, of built-in kinds and of those that operators define; each has a name of its own. */
export function manifestCorpus(): readonly KubeObject[] {
  return readdirSync(FOLDER).flatMap((file) =>
    parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS() as KubeObject),
  );
}

interface Outline {
  readonly group: string;
  readonly version?: string;
  readonly kind: string;
  readonly scope?: string;
  readonly spec: JsonObject;
}

/** The definitions of the custom kinds in the corpus. */
export function corpusDefinitions(): readonly KubeObject[] {
  const outlines = parse(readFileSync(join(import.meta.dirname, 'definitions', 'common.yaml'), 'utf8')) as readonly Outline[];
  return outlines.map(({ group, version = 'v1', kind, scope = 'Namespaced', spec }) => {
    const singular = kind.toLowerCase();
    const plural = `${singular.replace(/y$/, 'ie')}${/(?:s|x)$/.test(singular) ? 'es' : 's'}`;
    const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const openAPIV3Schema = { type: 'object', properties: { spec, status } };
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope,
        names: { plural, singular, kind, listKind: `${kind}List` },
        versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } }],
      },
    };
  });
}
