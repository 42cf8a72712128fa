/** A file of the tree as the rules see it: its place, its text, and for code its imports, comments and syntax. */
import { posix } from 'node:path';
import { type Comment, parseSync, type Program, type StaticExportEntry } from 'oxc-parser';

export interface SourceFile {
  /** From the root of the repository, with `/` on every system. */
  path: string;
  text: string;
  /** The room below `src/` that the file belongs to. */
  room: string | undefined;
  isTest: boolean;
  isGenerated: boolean;
  code: Code | undefined;
}

export interface Code {
  program: Program;
  comments: readonly Comment[];
  imports: readonly Import[];
  /** Names that the file exports; `*` for everything of another module. */
  exports: readonly Export[];
}

export interface Import {
  specifier: string;
  /** For a relative import, the path that it names, from the root of the repository. */
  target: string | undefined;
  line: number;
}

export interface Export {
  kind: 'name' | 'default' | 'all';
  line: number;
}

const CODE = /\.(?:ts|tsx|mts|mjs|js)$/;

export function parseSourceFile(path: string, text: string): SourceFile {
  const parts = path.split('/');
  return {
    path,
    text,
    room: parts[0] === 'src' && parts.length > 2 ? parts[1] : undefined,
    isTest: /\.test\.tsx?$/.test(path) || parts[0] === 'test',
    isGenerated: parts.includes('gen'),
    code: CODE.test(path) ? parseCode(path, text) : undefined,
  };
}

/** The line, counted from one, of a place in a text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function parseCode(path: string, text: string): Code {
  const parsed = parseSync(path, text);
  const [error] = parsed.errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  return {
    program: parsed.program,
    comments: parsed.comments,
    imports: readImportSpans(parsed.module).map(({ specifier, start }) => ({
      specifier,
      target: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined,
      line: lineAt(text, start),
    })),
    exports: parsed.module.staticExports.flatMap(({ start, entries }) =>
      entries.map((entry) => ({ kind: exportKind(entry), line: lineAt(text, start) })),
    ),
  };

  function readImportSpans(module: typeof parsed.module): { specifier: string; start: number }[] {
    const requests = [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
      ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
    ];
    const literal = /^(['"`])([^'"`$]*)\1$/;
    const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const specifier = literal.exec(text.slice(start, end))?.[2];
      return specifier === undefined ? [] : [{ specifier, start }];
    });
    return [...requests.map(({ value, start }) => ({ specifier: value, start })), ...dynamic];
  }
}

function exportKind({ exportName, importName }: StaticExportEntry): Export['kind'] {
  const imported: string = importName.kind;
  const exported: string = exportName.kind;
  if (imported === 'AllButDefault' || imported === 'All') return 'all';
  return exported === 'Default' || exportName.name === 'default' ? 'default' : 'name';
}
