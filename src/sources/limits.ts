import { availableParallelism } from 'node:os';

/** What rendering may take: of time, memory, disk and processes. */
export interface SourceLimits {
  /** The longest that one run of a tool may take, in milliseconds. */
  readonly toolMs: number;
  /** The longest that all signatures of a history may take. */
  readonly signaturesMs: number;
  /** The longest that a server may take to list its refs. */
  readonly listRefsMs: number;
  /** The longest that a test of a repository may take, whatever it is; the limit of git's servers where that is longer. */
  readonly testMs: number;
  /** The most that a tool may write to its output or its errors. */
  readonly toolOutputBytesMax: number;
  /** The most memory that a tool may have, with all that it starts. */
  readonly toolMemoryBytesMax: number;
  /** How many of the tools that talk to servers run at once. */
  readonly toolsMax: number;
  /** How many of those that make manifests, which wait for nothing but processors and are large; and how many more of either may wait. */
  readonly renderersMax: number;
  readonly toolsWaitingMax: number;
  /** How many sources plugins are asked about at once. */
  readonly pluginsMax: number;
  /** All manifest files of one directory together. */
  readonly directoryBytesMax: number;
  /** How long reading the manifests of one source may take, and how much memory. */
  readonly parseMs: number;
  readonly parseMegabytesMax: number;
  /** How deep a manifest may nest, how many objects a source may yield, and how many characters aliases may repeat. */
  readonly depthMax: number;
  readonly objectsMax: number;
  readonly aliasedCharactersMax: number;
  /** Files in one revision, and their size in all. */
  readonly treeFilesMax: number;
  readonly treeBytesMax: number;
  /** What checked-out revisions may take on disk in all; what was used longest ago goes first. */
  readonly treesBytesMax: number;
  /** The same for mirrors of repositories. */
  readonly mirrorsBytesMax: number;
  /** One object of git LFS. */
  readonly lfsObjectBytesMax: number;
  /** The index of a Helm repository; a chart, packed and unpacked. */
  readonly indexBytesMax: number;
  readonly chartBytesMax: number;
  /** All packed charts that are kept. */
  readonly chartsBytesMax: number;
  /** What was used within this time is never removed. */
  readonly inUseMs: number;
  /** How long a resolved revision holds without asking again. */
  readonly revisionMs: number;
  /** How long a result is used again that is not made of the revision alone: those of plugins, and of charts that take in others. */
  readonly pluginResultMs: number;
  /** After so many failures in a row the same is not tried for a while: at first so long, then twice as long each time, up to the most. */
  readonly failuresFree: number;
  readonly failurePauseMs: number;
  readonly failurePauseMsMax: number;
  /** Where it is not 0: all begins anew so long after the first failure, and pauses do not grow; or after so many answers without a try. */
  readonly failureForgetMs: number;
  readonly failureAnswersMax: number;
  /** Results that are kept in memory: how many, and how many characters of JSON in all. */
  readonly resultsMax: number;
  readonly resultsCharactersMax: number;
  /** For how long nobody has to ask for one until it goes from memory: with each commit there are new ones, and the disk has the old. */
  readonly resultIdleMs: number;
  /** Results that are kept on disk: how many, their bytes in all and each, and for how long nobody has to ask for one until it goes. */
  readonly resultsDiskMax: number;
  readonly resultsDiskBytesMax: number;
  readonly resultBytesMax: number;
  readonly resultUnusedMs: number;
}

export const defaultSourceLimits: SourceLimits = {
  toolMs: 90_000,
  signaturesMs: 10 * 60_000,
  listRefsMs: 15_000,
  testMs: 20_000,
  toolOutputBytesMax: 128 << 20,
  toolMemoryBytesMax: 4 * 2 ** 30,
  toolsMax: 8,
  renderersMax: Math.min(8, Math.max(2, availableParallelism())),
  toolsWaitingMax: 10_000,
  pluginsMax: 8,
  directoryBytesMax: 10_000_000,
  parseMs: 30_000,
  parseMegabytesMax: 512,
  depthMax: 200,
  objectsMax: 10_000,
  aliasedCharactersMax: 10_000_000,
  treeFilesMax: 500_000,
  treeBytesMax: 2 ** 31,
  treesBytesMax: 2 ** 33,
  mirrorsBytesMax: 20 * 2 ** 30,
  lfsObjectBytesMax: 256 << 20,
  indexBytesMax: 128 << 20,
  chartBytesMax: 128 << 20,
  chartsBytesMax: 2 ** 31,
  inUseMs: 10 * 60_000,
  revisionMs: 180_000,
  pluginResultMs: 24 * 3_600_000,
  failuresFree: 3,
  failurePauseMs: 15_000,
  failurePauseMsMax: 10 * 60_000,
  failureForgetMs: 0,
  failureAnswersMax: 0,
  resultsMax: 20_000,
  resultsCharactersMax: 256 << 20,
  resultIdleMs: 30 * 60_000,
  resultsDiskMax: 50_000,
  resultsDiskBytesMax: 2 ** 30,
  resultBytesMax: 64 << 20,
  resultUnusedMs: 7 * 24 * 3_600_000,
};
