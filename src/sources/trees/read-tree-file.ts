import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { throwShortage } from '../shortage.ts';
import { DamagedTree } from './damaged-tree.ts';

const READING_MAX = 32;

/**
 * Files of a checked-out revision, some at a time. Places are those that the listing resolves to, where nothing is a link: one that has become
 * a link since, or is not there, throws a DamagedTree.
 */
export async function readTreeFiles(root: string, places: readonly string[]): Promise<Uint8Array[]> {
  const read: Uint8Array[] = [];
  for (let from = 0; from < places.length; from += READING_MAX)
    read.push(...(await Promise.all(places.slice(from, from + READING_MAX).map((place) => readTreeFile(root, place)))));
  return read;
}

async function readTreeFile(root: string, place: string): Promise<Uint8Array> {
  try {
    await using file = await open(join(root, place), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return await file.readFile();
  } catch (error) {
    throwShortage(error);
    throw new DamagedTree(place, { cause: error });
  }
}
