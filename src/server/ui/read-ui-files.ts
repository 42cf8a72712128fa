import { createHash } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** One file of the built web interface, in every form that there is. */
export interface UiFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly br?: Buffer;
  readonly gzip?: Buffer;
  readonly etag: string;
}

/** By path from the root of the site, as `/assets/index-1a2b.js`. */
export type UiFiles = ReadonlyMap<string, UiFile>;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
};

/**
 * Reads the built interface into memory: some megabytes. So a request touches no disk, a path can lead nowhere else, and a build that
 * replaces the files leaves those who have the old page with a whole one. Undefined where there is no build.
 */
export async function readUiFiles(folder: string): Promise<UiFiles | undefined> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const root = names.length === 0 ? folder : await realpath(folder);
  const readIfThere = (path: string): Promise<Buffer | undefined> => readWithin(root, path);
  const files = new Map<string, UiFile>();
  await Promise.all(
    names.map(async (name) => {
      const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)];
      if (contentType === undefined) return;
      const path = join(folder, name);
      const body = await readIfThere(path);
      if (body === undefined) return;
      const [br, gzip] = await Promise.all([readIfThere(`${path}.br`), readIfThere(`${path}.gz`)]);
      const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      files.set(`/${name.split(sep).join('/')}`, { contentType, body, etag, ...(br && { br }), ...(gzip && { gzip }) });
    }),
  );
  return files.has('/index.html') ? files : undefined;
}

/** Undefined where it is not there, as small files have no compressed form, and where it is a link that leads out of the folder. */
async function readWithin(root: string, path: string): Promise<Buffer | undefined> {
  try {
    const place = await realpath(path);
    return place.startsWith(`${root}${sep}`) ? await readFile(place) : undefined;
  } catch {
    return undefined;
  }
}
