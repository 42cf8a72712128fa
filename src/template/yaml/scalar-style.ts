import { parseInteger } from '../go-template/parse-number.ts';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

const NOT_FINITE = ['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'];
const WORDS = new Set([
  ...['y', 'yes', 'n', 'no', 'on', 'off', 'true', 'false', 'null'].flatMap((word) => [
    word,
    word[0]?.toUpperCase() + word.slice(1),
    word.toUpperCase(),
  ]),
  ...NOT_FINITE,
  '',
  '~',
]);
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const POINT_FLOAT = /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/;
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const TIMESTAMP = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?(Z|[-+]\d\d:\d\d)?)?$/;
const INT64_MAX = 2n ** 64n;
/** What YAML calls printable; other characters are written as escapes. */
const UNPRINTABLE = /[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const BREAK = /[\n\r\x85\u2028\u2029]/;

/** How a text is written so that it is read as a text again. */
export function chooseStyle(text: string, isKey: boolean): ScalarStyle {
  const rules = analyze(text);
  if (text.includes('\n')) return rules.literal && !isKey ? 'literal' : 'double';
  if (isOtherThanText(text)) return 'double';
  if (isKey && BREAK.test(text)) return 'double';
  if (rules.plain && !(isKey && text === '')) return 'plain';
  return rules.single ? 'single' : 'double';
}

/** Whether the bare text would be read as a number, a truth value, a date or nothing. */
function isOtherThanText(text: string): boolean {
  if (WORDS.has(text) || BASE_60.test(text) || POINT_FLOAT.test(text)) return true;
  if (!/^[-+0-9]/.test(text)) return false;
  if (isTimestamp(text)) return true;
  const plain = text.replaceAll('_', '');
  const integer = parseInteger(plain);
  return (integer !== undefined && integer < INT64_MAX && integer > -INT64_MAX) || FLOAT.test(plain);
}

function isTimestamp(text: string): boolean {
  const found = TIMESTAMP.exec(text);
  if (found === null || (text.includes(' ') && found[7] !== undefined) || (/[Tt]/.test(text) && found[7] === undefined)) return false;
  const [, year = '0', month = '0', day = '0', hour = '0', minute = '0', second = '0'] = found;
  const length = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return (
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= length &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60
  );
}

function analyze(text: string): { plain: boolean; single: boolean; literal: boolean } {
  if (text === '') return { plain: true, single: true, literal: false };
  const breakThenSpace = /[\n\r\x85\u2028\u2029] /.test(text);
  const broken = / [\n\r\x85\u2028\u2029]/.test(text) || UNPRINTABLE.test(text);
  const indicators =
    /^(?:---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[?:-](?:[\s\x85\u2028\u2029]|$)/.test(text) ||
    /:(?:[ \t]|$)/.test(text.slice(1)) ||
    /[\s\x85\u2028\u2029]#/.test(text);
  const edges = /^[ \n\r\x85\u2028\u2029]|[ \n\r\x85\u2028\u2029]$/.test(text);
  return {
    plain: !indicators && !edges && !breakThenSpace && !broken && !BREAK.test(text),
    single: !breakThenSpace && !broken,
    literal: !text.endsWith(' ') && !broken,
  };
}
