import { evaluateJsonnet } from '../../template/index.ts';
import type { JsonnetContext } from './jsonnet-context.ts';

/** Runs one of the programs of a source. It reaches nothing but what the context holds. */
export function evaluateProgram(name: string, { files, imports, externalVariables, topLevelArguments }: JsonnetContext): string {
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
