const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const UUID5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SHORT_NAME = new RegExp(`^${LABEL}$`);
const LONG_NAME = new RegExp(`^${LABEL}(\\.${LABEL})*$`);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/;
const GO_DURATION = /^[+-]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))*)$/;
const DURATION_PART = /(?<!\d)(\d+)\s*([A-Za-zµ]+)/g;
/** The names of each unit; the last one may have an ending, as in `hours`. */
const DURATION_UNITS = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];
const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

/** The formats of strings that are checked, by their names without dashes. */
const CHECKS = new Map<string, (text: string) => boolean>([
  ['byte', (text) => BASE64.test(text)],
  ['cidr', isCidr],
  ['date', isDate],
  ['datetime', isDateTime],
  ['duration', isDuration],
  ['email', isEmail],
  ['hexcolor', (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', isIPv6],
  ['k8slongname', (text) => text.length <= 253 && LONG_NAME.test(text)],
  ['k8sshortname', (text) => text.length <= 63 && SHORT_NAME.test(text)],
  ['mac', (text) => /^([0-9a-f]{2}([:-]))([0-9a-f]{2}\2){4,18}[0-9a-f]{2}$/i.test(text) || /^([0-9a-f]{4}\.){2,9}[0-9a-f]{4}$/i.test(text)],
  ['uri', isRequestUri],
  ['uuid', (text) => UUID.test(text)],
  ['uuid3', (text) => UUID3.test(text)],
  ['uuid4', (text) => UUID4.test(text)],
  ['uuid5', (text) => UUID5.test(text)],
]);

/** Whether a string has a format; undefined for a format that is not checked. */
export function hasFormat(text: string, format: string): boolean | undefined {
  return CHECKS.get(format.replaceAll('-', ''))?.(text);
}

/** Whether a format means something for strings: it then replaces the plain type in what the API server says. */
export function isStringFormat(format: string): boolean {
  return CHECKS.has(format.replaceAll('-', '')) || UNCHECKED.has(format);
}

/** Formats that the API server knows and that are accepted here as they come. */
const UNCHECKED = new Set(['bsonobjectid', 'creditcard', 'isbn', 'isbn10', 'isbn13', 'password', 'rgbcolor', 'ssn']);

/** Leading zeros were allowed once, and still are. An IPv6 address with an IPv4 tail passes for one too. */
function isIPv4(text: string): boolean {
  return isDottedQuad(text) || (isIPv6(text) && text.includes('.'));
}

function isDottedQuad(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255);
}

function isIPv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2 || !text.includes(':')) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    const parts = half === '' ? [] : half.split(':');
    const tail = index === halves.length - 1 ? parts.at(-1) : undefined;
    if (tail?.includes('.')) {
      if (!isDottedQuad(tail)) return false;
      parts.pop();
      groups += 2;
    }
    if (!parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return false;
    groups += parts.length;
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d+$/.test(bits)) return false;
  if (isIPv6(address)) return Number(bits) <= 128;
  return isDottedQuad(address) && Number(bits) <= 32;
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return false;
  const time = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return time.getUTCMonth() === Number(month) - 1 && time.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [, hour, minute, second] = TIME.exec(time) ?? [];
  return hour !== undefined && hour <= '23' && (minute ?? '') <= '59' && (second ?? '') <= '59';
}

function isDuration(text: string): boolean {
  if (GO_DURATION.test(text)) return true;
  for (const [, , name = ''] of text.matchAll(DURATION_PART)) {
    const unit = name.toLowerCase();
    if (DURATION_UNITS.some((names) => names.includes(unit) || unit.startsWith(names.at(-1) ?? ' '))) return true;
  }
  return false;
}

const EMAIL = /^("[^"\\]*"|[^\s@<>()[\]\\,;:".]+(\.[^\s@<>()[\]\\,;:".]+)*)@[^\s@<>()[\]\\,;:".]+(\.[^\s@<>()[\]\\,;:".]+)*$/;

function isEmail(text: string): boolean {
  const [, bare] = /<([^<>]*)>\s*$/.exec(text) ?? [];
  return EMAIL.test((bare ?? text).trim());
}

function isHostname(text: string): boolean {
  return HOSTNAME.test(text) && byteLength(text) <= 255 && text.split('.').every((label) => byteLength(label) <= 63);
}

/** An address with a scheme, or an absolute path. */
function isRequestUri(text: string): boolean {
  if (/\p{Cc}/u.test(text)) return false;
  const isEscapedWell = !/%(?![0-9a-fA-F]{2})/.test(text);
  if (text.startsWith('/')) return isEscapedWell;
  const [, rest] = /^[a-zA-Z][a-zA-Z0-9+.-]*:(.*)$/s.exec(text) ?? [];
  if (rest === undefined || !rest.startsWith('/')) return rest !== undefined;
  if (!isEscapedWell || !rest.startsWith('//')) return isEscapedWell;
  const authority = rest.slice(2).split(/[/?#]/)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const [, bracketed] = /^\[([^[\]]*)\](:\d*)?$/.exec(host) ?? [];
  return bracketed === undefined ? /^[^ <>"\\^`{|}:[\]]*(:\d*)?$/.test(host) : isIPv6(bracketed);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
