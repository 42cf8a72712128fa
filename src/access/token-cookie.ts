/** The session token as cookies. Browsers keep no cookie over 4 KiB, so a long token is split over several. */
const cookieName = 'argocd.token';
const cookieBytesMax = 4093;
const cookiesMax = 20;
/** Room for `argocd.token-19=` or for the count in front of the first part. */
const nameBytesMax = `${cookieName}-${cookiesMax}=`.length;

/** `Set-Cookie` lines that hold a token: `<token>` in one cookie, or `<count>:<part>` in the first of several. */
export function formatTokenCookies(token: string, options: { readonly secure: boolean }): string[] {
  const attributes = formatAttributes(options.secure);
  const partLengthMax = cookieBytesMax - nameBytesMax - attributes.length;
  const partCount = Math.ceil(token.length / partLengthMax);
  if (partCount > cookiesMax) throw new Error(`a token of ${token.length} characters does not fit into ${cookiesMax} cookies`);
  if (partCount <= 1) return [`${cookieName}=${token}${attributes}`];
  return Array.from({ length: partCount }, (_, index) => {
    const part = token.slice(index * partLengthMax, (index + 1) * partLengthMax);
    return index === 0 ? `${cookieName}=${partCount}:${part}${attributes}` : `${cookieName}-${index}=${part}${attributes}`;
  });
}

/** One cookie of a `Cookie` header. */
export function readCookie(cookieHeader: string | undefined, name: string): string | undefined {
  return parseCookies(cookieHeader).get(name);
}

/** The token in a `Cookie` header; undefined when there is none or a part is missing. */
export function readTokenCookie(cookieHeader: string | undefined): string | undefined {
  const cookies = parseCookies(cookieHeader);
  const first = cookies.get(cookieName);
  if (first === undefined || first === '') return undefined;
  const counted = /^(\d{1,2}):(.*)$/s.exec(first);
  if (counted === null) return first;
  const partCount = Number(counted[1]);
  if (partCount < 1 || partCount > cookiesMax) return undefined;
  const parts = [counted[2]];
  for (let index = 1; index < partCount; index += 1) parts.push(cookies.get(`${cookieName}-${index}`));
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
}

/** `Set-Cookie` lines that make a browser forget every part of a token that it sent. */
export function expireTokenCookies(cookieHeader: string | undefined, options: { readonly secure: boolean }): string[] {
  const names = [...parseCookies(cookieHeader).keys()].filter((name) => /^argocd\.token(-\d{1,2})?$/.test(name));
  return names.map((name) => `${name}=; Max-Age=0${formatAttributes(options.secure)}`);
}

function formatAttributes(secure: boolean): string {
  return `; path=/; SameSite=lax; httpOnly${secure ? '; Secure' : ''}`;
}

/** When a name is sent twice, the first counts: browsers send the more specific one first. */
function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const separator = pair.indexOf('=');
    const name = pair.slice(0, separator).trim();
    if (separator > 0 && !cookies.has(name)) cookies.set(name, pair.slice(separator + 1).trim());
  }
  return cookies;
}
