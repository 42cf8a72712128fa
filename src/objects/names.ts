// The rules for names, with the sentences that an API server uses. Each function returns what is wrong, nothing if the text is valid.

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;

const LABEL_LENGTH_MAX = 63;
const SUBDOMAIN_LENGTH_MAX = 253;

const [labelPattern, subdomainPattern, label1035Pattern, qualifiedPattern, labelValuePattern] = [
  whole(LABEL),
  whole(SUBDOMAIN),
  whole(LABEL_1035),
  whole(QUALIFIED),
  whole(LABEL_VALUE),
];

const ENDS = 'and must start and end with an alphanumeric character';

/** RFC 1123 label: names of Namespaces, Services' ports and others. */
export function validateDns1123Label(value: string): readonly string[] {
  const errors = tooLong(value, LABEL_LENGTH_MAX, 'characters');
  if (labelPattern.test(value)) return errors;
  if (subdomainPattern.test(value)) return [...errors, 'must not contain dots'];
  const rule = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ENDS}`;
  return [...errors, mismatch(rule, LABEL, ['my-name', '123-abc'])];
}

/** RFC 1123 subdomain: names of most objects. */
export function validateDns1123Subdomain(value: string): readonly string[] {
  return validateSubdomain(value, 'characters');
}

/** The limit counts bytes in either case; an API server says characters of names, and bytes of the prefixes of keys. */
function validateSubdomain(value: string, unit: 'bytes' | 'characters'): readonly string[] {
  const errors = tooLong(value, SUBDOMAIN_LENGTH_MAX, unit);
  if (subdomainPattern.test(value)) return errors;
  const rule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ENDS}`;
  return [...errors, mismatch(rule, SUBDOMAIN, ['example.com'])];
}

/** RFC 1035 label: names that DNS serves. */
export function validateDns1035Label(value: string): readonly string[] {
  const errors = tooLong(value, LABEL_LENGTH_MAX, 'characters');
  if (label1035Pattern.test(value)) return errors;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...errors, mismatch(rule, LABEL_1035, ['my-name', 'abc-123'])];
}

/** Keys of labels and annotations, names of finalizers: a name, with a subdomain and a slash before it or not. */
export function validateQualifiedName(value: string): readonly string[] {
  const parts = value.split('/');
  const rule = `must consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`;
  const wrong = mismatch(rule, QUALIFIED, ['MyName', 'my.name', '123-abc']);
  if (parts.length > 2) return [`a valid label key ${wrong} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  const prefixErrors = prefix === '' ? ['must be non-empty'] : prefix === undefined ? [] : validateSubdomain(prefix, 'bytes');
  const nameErrors = [
    ...(name === '' ? ['must be non-empty'] : tooLong(name, LABEL_LENGTH_MAX, 'bytes')),
    ...(qualifiedPattern.test(name) ? [] : [wrong]),
  ];
  return [...prefixErrors.map((error) => `prefix part ${error}`), ...nameErrors.map((error) => `name part ${error}`)];
}

export function validateLabelValue(value: string): readonly string[] {
  const errors = tooLong(value, LABEL_LENGTH_MAX, 'bytes');
  if (labelValuePattern.test(value)) return errors;
  const rule = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`;
  return [...errors, mismatch(rule, LABEL_VALUE, ['MyValue', 'my_value', '12345'])];
}

/** Names that only have to fit into a path: of roles and their bindings. */
export function validatePathSegment(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

function tooLong(value: string, bytesMax: number, unit: 'bytes' | 'characters'): readonly string[] {
  return Buffer.byteLength(value) > bytesMax ? [`must be no more than ${bytesMax} ${unit}`] : [];
}

function mismatch(rule: string, pattern: string, examples: readonly string[]): string {
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;
}
