/** What browsers say, and the code that loads styles, when a file of the interface does not come. */
const MISSING = /dynamically imported module|importing a module script|unable to preload css/i;

/**
 * Whether a part of the interface that is loaded when somebody first needs it did not come: the server was away just then, or another
 * version of it runs, which has other files. The failure is remembered until the whole page is loaded again.
 */
export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && MISSING.test(error.message);
}
