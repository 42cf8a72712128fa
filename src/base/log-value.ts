/**
 * Makes a value safe to write into a log record: short, on one line, without what looks like a secret.
 * Much of what is logged comes from outside, and a log is read by people and by other programs.
 */

/** Characters kept of one string. */
const stringLengthMax = 1024;
/** A stack is our own text and useless when cut short. */
const stackLengthMax = 4096;
const entriesMax = 32;
const depthMax = 4;

const redacted = '[redacted]';
const secretName = /pass(word|wd|phrase)|secret|token|authorization|cookie|credential|(private|api|signing)[-_.]?key/i;
/** A JSON web token, also in the middle of a sentence. */
const tokenText = /eyJ[\w-]{8,}\.[\w-]*\.[\w-]*/g;
/** Line and paragraph separators, terminal control codes and the marks that reorder displayed text. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const unsafeCharacter = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export function cleanLogText(text: string, lengthMax: number = stringLengthMax): string {
  const kept = text.length > lengthMax ? `${text.slice(0, lengthMax)}… (${text.length} characters)` : text;
  return kept.replace(tokenText, redacted).replace(unsafeCharacter, escapeCharacter);
}

export function cleanLogValue(name: string, value: unknown, depth = 0): unknown {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (secretName.test(name)) return redacted;
  if (typeof value === 'string') return cleanLogText(value);
  if (value instanceof Error) return cleanError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return `(${typeof value})`;
  if (depth >= depthMax) return '…';
  if (Array.isArray(value)) return value.slice(0, entriesMax).map((item) => cleanLogValue('', item, depth + 1));
  return cleanObject(value, depth);
}

function cleanObject(value: object, depth: number): Record<string, unknown> {
  const cleaned: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, entry] of Object.entries(value).slice(0, entriesMax)) {
    cleaned[cleanLogText(key, 64)] = cleanLogValue(key, entry, depth + 1);
  }
  return cleaned;
}

function cleanError(error: Error, depth: number): Record<string, unknown> {
  const cleaned: Record<string, unknown> = { name: cleanLogText(error.name, 64), message: cleanLogText(error.message) };
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' || typeof code === 'number') cleaned['code'] = cleanLogValue('', code);
  if (error.stack !== undefined) cleaned['stack'] = cleanLogText(stackFrames(error.stack), stackLengthMax);
  if (error.cause !== undefined && depth < depthMax) cleaned['cause'] = cleanLogValue('', error.cause, depth + 1);
  return cleaned;
}

/** The frames alone: the first lines of a stack repeat the message, at any length. */
function stackFrames(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((line) => line.trim()).join(' | ');
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
