/** Bundles the program and builds the web interface into `dist/`, which is what `npm pack` ships: Node does not strip types below node_modules. */
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { uiFolder } from '../../bin/ui-stamp.mjs';
import { ensureUi, lockDist } from './build-ui.ts';
import { bundleProgram } from './bundle-program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASSET = /\.(?:mod|sum|css|html|js|json|svg|png|ico|txt|md|yaml|wasm|woff2)$/;
const TEST_ONLY = /(?:^|\/)(?:golden|fixtures|testing)(?:\/|$)|\.test\./;

// Built beside the old one and then swapped, so that a build that fails, or one beside another, leaves a whole one.
await ensureUi(ROOT);
const building = mkdtempSync(join(ROOT, '.dist-'));
try {
  await bundleProgram(ROOT, building);
  copyAssets(building);
  await lockDist(ROOT, async () => {
    cpSync(uiFolder(ROOT), join(building, 'ui'), { recursive: true });
    rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
    renameSync(building, join(ROOT, 'dist'));
  });
} finally {
  rmSync(building, { recursive: true, force: true });
}

function copyAssets(out: string): void {
  const source = join(ROOT, 'src');
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (path.startsWith('ui')) continue;
    if (ASSET.test(path) && !TEST_ONLY.test(path)) cpSync(join(source, path), join(out, path));
  }
}
