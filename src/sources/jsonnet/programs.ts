import { evaluateJsonnet, findJsonnetImports, TemplateError } from '../../template/index.ts';
import type { JsonnetImport } from '../../template/index.ts';
import { ManifestError } from '../manifests/manifest-error.ts';
import type { JsonnetContext } from './jsonnet-context.ts';

/** Runs one of the programs of a source. It reaches nothing but what the context holds. Throws a ManifestError under the `shown` name. */
export function evaluateProgram(shown: string, name: string, context: JsonnetContext): string {
  try {
    return evaluate(name, context);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new ManifestError(`Failed to evaluate jsonnet ${JSON.stringify(shown)}: ${error.message}`);
  }
}

/** What each of the programs may import. */
export function findImports(programs: readonly { readonly bytes: Uint8Array }[]): JsonnetImport[][] {
  return programs.map(({ bytes }) => findJsonnetImports(new TextDecoder().decode(bytes)));
}

function evaluate(name: string, { files, imports, externalVariables, topLevelArguments }: JsonnetContext): string {
  return evaluateJsonnet({
    name,
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(files.get(name) ?? new Uint8Array()),
    externalVariables,
    topLevelArguments,
    resolveImport(from, path) {
      const target = imports.get(from)?.get(path);
      if (target !== undefined && 'refusal' in target) throw new Error(target.refusal);
      const bytes = target === undefined ? undefined : files.get(target.name);
      if (target === undefined || bytes === undefined) throw new Error(`couldn't open import ${JSON.stringify(path)}`);
      return { name: target.name, bytes };
    },
  });
}
