/**
 * What the C library of Linux reads once, when a process starts. By itself it gives every thread a heap of its own and keeps what was
 * freed for later: after a busy minute a sixth of our memory was such room that nobody used. One heap for all, and none of the larger
 * pieces in it (what a connection reads into, what the compiler works with): those leave holes that are never given back.
 */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * Most of what is made lives for a moment, and Node by itself lets 16 MB of it gather, three times over and in each thread. A smaller room for
 * it costs nothing that can be measured, and takes a quarter of what we hold at most.
 */
const YOUNG = '--max-semi-space-size';
export const YOUNG_FLAG = `${YOUNG}=8`;

let isWanted = false;

/**
 * Starts this very process again, with the same id, where the C library has not been told to return what is free. Where that cannot be
 * done, or somebody has told it something else, nothing happens.
 */
export function keepMemorySmall() {
  isWanted = true;
  if (process.platform !== 'linux' || Object.keys(ALLOCATOR).some((name) => name in process.env)) return;
  Object.assign(process.env, ALLOCATOR);
  // In a Node that lacks it the program runs as a child, which inherits what was just set, and is given the same flags.
  process.execve?.(process.execPath, [process.execPath, ...smallFlags(), ...process.execArgv, ...process.argv.slice(1)], process.env);
}

/** What Node is to be started with: nothing where nobody asked for little memory, and what somebody has chosen where they have. */
export function smallFlags() {
  /** @param {string} text */
  const isChoice = (text) => text.replaceAll('_', '-').includes(YOUNG);
  if (!isWanted || isChoice(process.env.NODE_OPTIONS ?? '')) return [];
  const chosen = process.execArgv.filter(isChoice);
  return chosen.length > 0 ? chosen : [YOUNG_FLAG];
}
