import { fromBytes, toBytes } from '../go/bytes.ts';
import { define, GoError } from '../go/go-function.ts';
import { quote } from '../go/quote.ts';
import { GoMap } from '../go/value.ts';
import type { GoAny } from '../go/value.ts';
import { kindName, NIL_POINTER } from './convert.ts';
import type { NamedFunctions } from './environment.ts';

const PARTS = ['scheme', 'host', 'path', 'query', 'opaque', 'fragment', 'userinfo'] as const;
/** What may stand as it is, beside letters and digits. */
const UNESCAPED = {
  path: /[-_.~$&+,/:;=@!'()*[\]]/,
  user: /[-_.~$&+,;=]/,
  fragment: /[-_.~$&+,/:;=?@!'()*]/,
  host: /[-_.~!$&'()*+,;=:[\]<>"]/,
};

export function urlFunctions(): NamedFunctions {
  return [
    ['urlParse', define('string', parseUrl)],
    ['urlJoin', define('dict', joinUrl)],
  ];
}

function refuse(text: string, problem: string): never {
  throw new GoError(`unable to parse url: parse ${quote(text)}: ${problem}`);
}

function parseUrl(text: string): GoMap {
  // eslint-disable-next-line no-control-regex -- these are what is refused
  if (/[\0-\x1f\x7f]/.test(text)) refuse(text, 'net/url: invalid control character in URL');
  const [beforeFragment = '', ...fragments] = text.split('#');
  const scheme = readScheme(text, beforeFragment);
  let rest = scheme === '' ? beforeFragment : beforeFragment.slice(scheme.length + 1);
  const mark = rest.indexOf('?');
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  if (mark >= 0) rest = rest.slice(0, mark);
  const made = new Map<string, GoAny>(PARTS.map((part) => [part, '']));
  made
    .set('scheme', scheme.toLowerCase())
    .set('query', query)
    .set('fragment', unescape(text, fragments.join('#')))
    .set('hostname', '');
  if (!rest.startsWith('/') && scheme !== '') {
    made.set('opaque', rest);
    return new GoMap(made);
  }
  if (!rest.startsWith('/') && /:/.test(rest.split('/')[0] ?? '')) refuse(text, 'first path segment in URL cannot contain colon');
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const end = rest.indexOf('/', 2);
    readAuthority(text, rest.slice(2, end < 0 ? undefined : end), made);
    rest = end < 0 ? '' : rest.slice(end);
  }
  made.set('path', unescape(text, rest));
  return new GoMap(made);
}

function readScheme(text: string, before: string): string {
  if (before.startsWith(':')) refuse(text, 'missing protocol scheme');
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(before)?.[1] ?? '';
}

function readAuthority(text: string, authority: string, made: Map<string, GoAny>): void {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (at >= 0) made.set('userinfo', formatUser(text, authority.slice(0, at)));
  const port = /:([^:\]]*)$/.exec(host);
  if (host.startsWith('[') ? !host.includes(']') : false) refuse(text, "missing ']' in host");
  if (port !== null && !/^\d*$/.test(port[1] ?? '')) refuse(text, `invalid port ${quote(port[0])} after host`);
  if (/[ <>"\\^`{|}]/.test(host)) refuse(text, `invalid character ${quote(/[ <>"\\^`{|}]/.exec(host)?.[0] ?? '')} in host name`);
  const decoded = unescape(text, host);
  const name = port === null ? decoded : decoded.slice(0, -port[0].length);
  made.set('host', decoded).set('hostname', name.replace(/^\[(.*)\]$/, '$1'));
}

function formatUser(text: string, user: string): string {
  const [name = '', ...password] = user.split(':');
  const parts = password.length === 0 ? [name] : [name, password.join(':')];
  return parts.map((part) => escape(unescape(text, part), 'user')).join(':');
}

function unescape(text: string, part: string): string {
  const bad = /%(?![0-9A-Fa-f]{2})[^]{0,2}/.exec(part);
  if (bad !== null) refuse(text, `invalid URL escape ${quote(bad[0])}`);
  if (!part.includes('%')) return part;
  const bytes: number[] = [];
  for (const [piece] of part.matchAll(/%[0-9A-Fa-f]{2}|[^%]+/g))
    bytes.push(...(piece.startsWith('%') ? [Number.parseInt(piece.slice(1), 16)] : toBytes(piece)));
  return fromBytes(Uint8Array.from(bytes));
}

function escape(text: string, where: keyof typeof UNESCAPED): string {
  let escaped = '';
  for (const byte of toBytes(text)) {
    const character = String.fromCharCode(byte);
    const stays = /[A-Za-z0-9]/.test(character) || UNESCAPED[where].test(character);
    escaped += stays ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

function joinUrl(parts: GoMap): string {
  const { scheme, host, path, query, opaque, fragment, userinfo } = Object.fromEntries(
    PARTS.map((part) => [part, textPart(parts, part)]),
  ) as Record<(typeof PARTS)[number], string>;
  let joined = scheme === '' ? '' : `${scheme}:`;
  if (opaque === '') {
    if (scheme !== '' || host !== '' || userinfo !== '') {
      if (host !== '' || path !== '' || userinfo !== '') joined += '//';
      if (userinfo !== '') joined += `${formatUser(userinfo, userinfo)}@`;
      joined += escape(host, 'host');
    }
    if (path !== '' && !path.startsWith('/') && host !== '') joined += '/';
    const escapedPath = escape(path, 'path');
    if (joined === '' && /:/.test(escapedPath.split('/')[0] ?? '')) joined += './';
    joined += escapedPath;
  } else {
    joined += opaque;
  }
  if (query !== '') joined += `?${query}`;
  return fragment === '' ? joined : `${joined}#${escape(fragment, 'fragment')}`;
}

function textPart(parts: GoMap, name: string): string {
  if (!parts.entries.has(name)) return '';
  const value = parts.entries.get(name) ?? null;
  if (value === null) throw new GoError(NIL_POINTER);
  if (typeof value !== 'string') throw new GoError(`unable to parse ${name} key, must be of type string, but ${kindName(value)} found`);
  return value;
}
