import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { build } from 'vite';

/** What Node is told to start, by its place: the program, and the thread that it starts by itself. */
const ENTRIES = ['main/fairway', 'sources/manifests/manifests-worker'];
const OWN_PLACE = /ownPlace\("([^"]+)"\)/g;
/** A path to one of our sources in a string is not rewritten and would be missing in the package. */
const SOURCE_PATH = /new URL\(\s*['"`][^'"`]+\.ts['"`]/;

/**
 * Makes a few files of the many of the program: to find, read and link more than a thousand modules took a third of the processor time of
 * a start. What we depend on stays outside, as it was published.
 */
export async function bundleProgram(root: string, out: string): Promise<void> {
  const source = join(root, 'src');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [keepPlaces(source)],
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: false,
      target: 'node24',
      // Names of functions stay in stacks, which people send us.
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((name) => [name, join(source, `${name}.ts`)])),
        external: [/^node:/, /^[^./]/],
        output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'program/[name]-[hash].js' },
      },
    },
  });
  checkNoSourcePaths(out);
}

/** Files that are read at run time lie where they lay beside their module: in the bundle each module says where it was. */
function keepPlaces(source: string) {
  return {
    name: 'keep-places',
    transform(code: string, id: string) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return undefined;
      const place = relative(source, id).replace(/\.ts$/, '.js');
      return { code: code.replaceAll('import.meta.url', `ownPlace(${JSON.stringify(place)})`), map: null };
    },
    renderChunk(code: string, { fileName }: { readonly fileName: string }) {
      const placed = code.replaceAll(OWN_PLACE, (_, place: string) => {
        const path = posix.relative(posix.dirname(fileName), place);
        return `new URL(${JSON.stringify(path.startsWith('.') ? path : `./${path}`)}, import.meta.url).href`;
      });
      return { code: placed, map: null };
    },
  };
}

function checkNoSourcePaths(out: string): void {
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  const wrong = names.filter((path) => SOURCE_PATH.test(readFileSync(join(out, path), 'utf8')));
  if (wrong.length > 0) throw new Error(`these built files name a .ts file that is not packed: ${wrong.join(', ')}`);
}
