import { WeighedMap } from '../../../base/index.ts';
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

/** Files by git object id: a commit that changes one leaves the others to be read no more. */
export type ParsedFiles = WeighedMap<ParsedFile>;

export function createParsedFiles(): ParsedFiles {
  return new WeighedMap({ weightMax, weightOf: (_id, { values, characters }) => 5 + values + characters / share });
}
