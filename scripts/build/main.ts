/** Compiles `src/` and builds the web interface into `dist/`, which is what `npm pack` ships: Node does not strip types below node_modules. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { uiFolder } from '../../bin/ui-stamp.mjs';
import { ensureUi, lockDist } from './build-ui.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASSET = /\.(?:mod|sum|css|html|js|json|svg|png|ico|txt|md|yaml|wasm|woff2)$/;
const TEST_ONLY = /(?:^|\/)(?:golden|fixtures|testing)(?:\/|$)|\.test\./;
/** A path to one of our sources in a string is not rewritten by the compiler and would be missing in the package. */
const SOURCE_PATH = /new URL\(\s*['"`][^'"`]+\.ts['"`]/;

// Built beside the old one and then swapped, so that a build that fails, or one beside another, leaves a whole one.
await ensureUi(ROOT);
const building = mkdtempSync(join(ROOT, '.dist-'));
try {
  compile(building);
  copyAssets(building);
  checkNoSourcePaths(building);
  await lockDist(ROOT, async () => {
    cpSync(uiFolder(ROOT), join(building, 'ui'), { recursive: true });
    rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
    renameSync(building, join(ROOT, 'dist'));
  });
} finally {
  rmSync(building, { recursive: true, force: true });
}

function compile(out: string): void {
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json'));
  execFileSync(process.execPath, [join(compiler, '..', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--outDir', out], {
    cwd: ROOT,
    stdio: 'inherit',
  });
}

function copyAssets(out: string): void {
  const source = join(ROOT, 'src');
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (path.startsWith('ui')) continue;
    if (ASSET.test(path) && !TEST_ONLY.test(path)) cpSync(join(source, path), join(out, path));
  }
}

function checkNoSourcePaths(out: string): void {
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  const wrong = names.filter((path) => SOURCE_PATH.test(readFileSync(join(out, path), 'utf8')));
  if (wrong.length > 0) throw new Error(`these compiled files name a .ts file that is not packed: ${wrong.join(', ')}`);
}
