/** The rooms below `src/`: imports go only downwards, and only through doors. */
import type { Finding, Rule } from './rule.ts';
import type { Import, SourceFile } from './source-file.ts';

/** Lowest first. Rooms of one storey may lean on each other, as long as no circle comes of it. */
const STOREYS: readonly (readonly string[])[] = [
  ['base'],
  ['contract'],
  ['objects'],
  ['model'],
  ['template'],
  ['engine'],
  ['kube', 'embedded', 'settings', 'access', 'sources', 'clusters'],
  ['controllers', 'server', 'cli'],
  ['main'],
];

/** The rooms that meet only in the home API, or in `main`. */
const STRANGERS: readonly string[] = ['controllers', 'server', 'cli'];

/** What runs in a browser cannot have the rest of the house behind it. */
const UI_MAY_IMPORT: readonly string[] = ['contract', 'model'];

/**
 * Two go past the door of `contract`: its generator, which writes what the door needs in order to open, and the tests that hold
 * its tables against facts from elsewhere, for whom alone a door would otherwise have to be wider.
 */
const CONTRACT_TABLES = /^src\/contract\/(?:gen\/|schema\.ts$)/;

/** A browser takes the types and the addresses of the methods; the door has the codec behind it, which needs Node. */
const CONTRACT_FOR_BROWSERS = /^src\/contract\/gen\/(?:types|rest-routes)\.ts$/;

/** A thread pays for all that it loads, each time that it starts: what it needs of a large room has a door of its own. */
const DOORS_FOR_THREADS: readonly string[] = ['src/template/yaml/index.ts'];

interface RoomImport {
  file: SourceFile;
  from: string;
  to: string;
  line: number;
}

export const arrows: Rule = {
  name: 'arrows',
  find: ({ files }) => [...files.flatMap(findUnknownRoom), ...findRoomImports(files).flatMap(checkArrow), ...findCircles(files)],
};

export const doors: Rule = {
  name: 'doors',
  find: ({ files }) => [
    ...files.flatMap(findSideEntries),
    ...files.filter(isDoor).flatMap(checkDoor),
    ...files.flatMap(findDefaultExports),
  ],
};

function findUnknownRoom(file: SourceFile): Finding[] {
  if (!file.path.startsWith('src/') || !file.code) return [];
  if (file.room === undefined) return [{ path: file.path, message: 'code below src/ belongs to a room' }];
  if (file.room === 'ui' || storeyOf(file.room) >= 0) return [];
  return [{ path: file.path, message: `${file.room} is not a room of the design` }];
}

function findRoomImports(files: readonly SourceFile[]): RoomImport[] {
  return files.flatMap((file) =>
    importsOf(file).flatMap(({ target, line }) => {
      const to = roomOf(target);
      return file.room !== undefined && to !== undefined && to !== file.room ? [{ file, from: file.room, to, line }] : [];
    }),
  );
}

function checkArrow({ file, from, to, line }: RoomImport): Finding[] {
  const report = (message: string): Finding[] => [{ path: file.path, line, message }];
  if (from === 'ui') return UI_MAY_IMPORT.includes(to) ? [] : report(`ui may import only ${UI_MAY_IMPORT.join(' and ')}, not ${to}`);
  if (to === 'ui') return report(`${from} must not import ui`);
  if (STRANGERS.includes(from) && STRANGERS.includes(to)) return report(`${from} and ${to} must not import each other`);
  return storeyOf(to) > storeyOf(from) ? report(`${from} must not import ${to}, which stands above it`) : [];
}

/** Each way round a circle is found once for each room in it; the first one found is enough to start with. */
function findCircles(files: readonly SourceFile[]): Finding[] {
  const leansOn = new Map<string, Map<string, RoomImport>>();
  for (const found of findRoomImports(files)) {
    if (storeyOf(found.from) !== storeyOf(found.to)) continue;
    const known = leansOn.get(found.from) ?? new Map<string, RoomImport>();
    leansOn.set(found.from, known.set(found.to, found));
  }
  for (const start of leansOn.keys()) {
    const way = findWay(leansOn, start, start, []);
    const first = way && leansOn.get(start)?.get(way[0] ?? start);
    if (way && first) return [{ path: first.file.path, line: first.line, message: `rooms in a circle: ${[start, ...way].join(' → ')}` }];
  }
  return [];
}

function findWay(
  leansOn: ReadonlyMap<string, ReadonlyMap<string, RoomImport>>,
  from: string,
  goal: string,
  passed: readonly string[],
): string[] | undefined {
  for (const next of leansOn.get(from)?.keys() ?? []) {
    if (next === goal) return [...passed, next];
    if (passed.includes(next)) continue;
    const way = findWay(leansOn, next, goal, [...passed, next]);
    if (way) return way;
  }
  return undefined;
}

function findSideEntries(file: SourceFile): Finding[] {
  return importsOf(file).flatMap(({ target, line }) => {
    const to = roomOf(target);
    if (to === undefined || to === file.room || target === `src/${to}/index.ts` || isProgram(target)) return [];
    if (DOORS_FOR_THREADS.includes(target ?? '')) return [];
    if (file.path.startsWith('scripts/generate/') && to === 'contract') return [];
    if (file.path.startsWith('test/') && CONTRACT_TABLES.test(target ?? '')) return [];
    if (file.room === 'ui' && CONTRACT_FOR_BROWSERS.test(target ?? '')) return [];
    return [{ path: file.path, line, message: `${target} is behind the door src/${to}/index.ts` }];
  });
}

/** A program is started, not imported; its own tests may name it. */
function isProgram(target: string | undefined): boolean {
  return target === 'src/main/fairway.ts';
}

function isDoor(file: SourceFile): boolean {
  return file.path.startsWith('src/') && file.path.endsWith('/index.ts');
}

function checkDoor({ path, text, code }: SourceFile): Finding[] {
  const findings: Finding[] = [];
  if (!/^\/\*\*\s+(?:\*\s*)?[A-Z`][^]*?\.\s*\*\//.test(text)) {
    findings.push({ path, line: 1, message: 'a door starts with a comment: a sentence saying what the room is for' });
  }
  for (const { kind, line } of code?.exports ?? []) {
    if (kind === 'all') findings.push({ path, line, message: 'a door exports by name, not `export *`' });
  }
  for (const statement of code?.program.body ?? []) {
    if (statement.type === 'ExportNamedDeclaration' && statement.source) continue;
    if (statement.type === 'ExportAllDeclaration') continue;
    findings.push({ path, message: 'a door only re-exports: code has a file of its own' });
  }
  return findings;
}

function findDefaultExports({ path, code }: SourceFile): Finding[] {
  if (!path.startsWith('src/')) return [];
  return (code?.exports ?? []).flatMap(({ kind, line }) => (kind === 'default' ? [{ path, line, message: 'no default exports' }] : []));
}

function importsOf(file: SourceFile): readonly Import[] {
  return file.code?.imports ?? [];
}

function roomOf(target: string | undefined): string | undefined {
  return target === undefined ? undefined : /^src\/([^/]+)\/./.exec(target)?.[1];
}

function storeyOf(room: string): number {
  return STOREYS.findIndex((rooms) => rooms.includes(room));
}
