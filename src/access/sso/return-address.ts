/** Which of the addresses that are configured a request came to; the main one where it came to none of them. */
export function chooseBase(urls: readonly string[], host: string | undefined): string | undefined {
  return urls.find((url) => URL.canParse(url) && new URL(url).host === host?.toLowerCase()) ?? urls[0];
}

/**
 * Where to go when all is done: an address below one of ours, or a path on `base`. Undefined for everything else. What is not plainly
 * written is refused, because browsers read it in more ways than one.
 */
export function findReturnAddress(
  wanted: string,
  urls: readonly string[],
  base: string,
): { readonly address: string; readonly base: string } | undefined {
  if (wanted === '') return { address: base, base };
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(wanted)) return undefined;
  const isPath = /^\/(?!\/)/.test(wanted);
  if (!isPath && !/^https?:\/\/[^/]/i.test(wanted)) return undefined;
  const place = isPath ? new URL(base).origin : undefined;
  if (!URL.canParse(wanted, place)) return undefined;
  const address = new URL(wanted, place);
  if (address.username !== '' || address.password !== '' || climbs(address)) return undefined;
  const owner = [base, ...urls].find((url) => URL.canParse(url) && isBelow(address, new URL(url)));
  return owner === undefined ? undefined : { address: address.href, base: owner };
}

function isBelow(address: URL, base: URL): boolean {
  const folder = base.pathname.replace(/\/*$/, '/');
  return address.origin === base.origin && `${address.pathname}/`.startsWith(folder);
}

/** Whether steps upwards are hidden in escapes that a URL keeps and a server behind it may not. */
function climbs({ pathname }: URL): boolean {
  try {
    return decodeURIComponent(pathname).split(/[/\\]/).includes('..');
  } catch {
    // What cannot be read is not written by us.
    return true;
  }
}
