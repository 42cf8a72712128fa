/** Builds the web interface with Vite, and beside each file its compressed forms, so that the server never compresses. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { holdLock } from '../../bin/hold-lock.mjs';
import { isUiCurrent, uiFolder, uiStamp, uiStampName } from '../../bin/ui-stamp.mjs';

/** Files below this size gain nothing. */
const COMPRESS_BYTES_MIN = 1_024;
const COMPRESSIBLE = /\.(?:html|js|css|svg|json)$/;

/** Makes `dist/ui` what the sources say, if it is not so already. Safe to call from several processes at once. */
export async function ensureUi(root: string): Promise<void> {
  if (isUiCurrent(root)) return;
  await lockDist(root, async () => {
    if (!isUiCurrent(root)) await buildUi(root, uiFolder(root));
  });
}

/** Does work that replaces `dist` or a part of it: one process at a time. */
export function lockDist(root: string, work: () => Promise<void>): Promise<void> {
  return holdLock(join(root, '.ui-lock'), work);
}

/** Builds into a folder beside the wanted one and swaps, so that nobody meets half a build. */
async function buildUi(root: string, out: string): Promise<void> {
  // Taken first: what changes meanwhile makes the result stale.
  const stamp = uiStamp(root);
  const building = mkdtempSync(join(root, '.dist-ui-'));
  try {
    await asProduction(() =>
      build({
        root: join(root, 'src', 'ui'),
        configFile: false,
        logLevel: 'error',
        publicDir: 'public',
        build: {
          outDir: building,
          emptyOutDir: true,
          target: ['chrome123', 'firefox128', 'safari17.5'],
          // An inline script, or data in an address, is against our content security policy.
          modulePreload: { polyfill: false },
          assetsInlineLimit: 0,
          reportCompressedSize: false,
          chunkSizeWarningLimit: 700,
        },
        worker: { format: 'es' },
      }),
    );
    await compressFiles(building);
    writeFileSync(join(building, uiStampName), `${stamp}\n`);
    mkdirSync(dirname(out), { recursive: true });
    rmSync(out, { recursive: true, force: true });
    renameSync(building, out);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** Test runners name themselves where Vite, and with it React, looks for what to build: the slow form for developers would come out. */
async function asProduction<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

async function compressFiles(folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      if (statSync(path).size < COMPRESS_BYTES_MIN) return;
      const bytes = readFileSync(path);
      const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(bytes, options));
      writeFileSync(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}
