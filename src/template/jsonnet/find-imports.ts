import { TemplateError } from '../template-error.ts';
import { lex } from './lex.ts';

export interface JsonnetImport {
  readonly path: string;
  /** Whether it is evaluated, and may import more; other files are only read. */
  readonly isCode: boolean;
}

/**
 * Everything that a program may import. That is known before it runs, since only texts can be named; a program that cannot be read
 * imports nothing.
 */
export function findJsonnetImports(text: string): JsonnetImport[] {
  try {
    const tokens = lex({ name: '', path: '', text });
    const found = new Map<string, JsonnetImport>();
    for (const [at, { kind, text: word }] of tokens.entries()) {
      const next = tokens[at + 1];
      if (kind !== 'word' || next?.kind !== 'text' || !/^import(?:str|bin)?$/.test(word)) continue;
      const isCode = word === 'import' || found.get(next.text)?.isCode === true;
      found.set(next.text, { path: next.text, isCode });
    }
    return [...found.values()];
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}
