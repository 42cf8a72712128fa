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
 * Starts this very process again, with the same id, where the C library has not been told to return what is free. Where that cannot be
 * done, or somebody has told it something else, nothing happens.
 */
export function keepMemorySmall() {
  if (process.platform !== 'linux' || Object.keys(ALLOCATOR).some((name) => name in process.env)) return;
  Object.assign(process.env, ALLOCATOR);
  // In a Node that lacks it the program runs as a child, which inherits what was just set.
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env);
}
