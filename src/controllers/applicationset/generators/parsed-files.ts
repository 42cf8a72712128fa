import type { GoMap } from '../../../template/index.ts';

/** What a file of a repository holds. */
export interface ParsedFile {
  readonly objects: readonly GoMap[];
  /** How many values are in them. */
  readonly values: number;
  readonly characters: number;
}

/** Of all files together, with what is around them: some hundred megabytes. */
const weightMax = 1_000_000;
/** As many characters are held as easily as one value. */
const share = 64;

/**
 * Files by git object id: a commit that changes one leaves the others to be read no more. When they are too large together, those that were
 * not used for the longest time go.
 */
export class ParsedFiles {
  readonly #files = new Map<string, ParsedFile>();
  #weight = 0;

  get(id: string): ParsedFile | undefined {
    const file = this.#files.get(id);
    if (file === undefined) return undefined;
    this.#files.delete(id);
    this.#files.set(id, file);
    return file;
  }

  set(id: string, file: ParsedFile): void {
    this.#delete(id);
    // One that would push out most of the others is not worth it.
    if (weightOf(file) > weightMax / 4) return;
    this.#files.set(id, file);
    this.#weight += weightOf(file);
    for (const oldest of this.#files.keys()) {
      if (this.#weight <= weightMax) break;
      this.#delete(oldest);
    }
  }

  #delete(id: string): void {
    const file = this.#files.get(id);
    if (file === undefined) return;
    this.#files.delete(id);
    this.#weight -= weightOf(file);
  }
}

function weightOf({ values, characters }: ParsedFile): number {
  return 5 + values + characters / share;
}
