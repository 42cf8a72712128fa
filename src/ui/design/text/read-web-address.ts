/** The address if it is one of the web; undefined for scripts, files and what is no address at all. */
export function readWebAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    // Not an address.
    return undefined;
  }
}
