import { BadValue, quote, type Parse } from './bad-value.ts';

const goTrue: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const goFalse: readonly string[] = ['0', 'f', 'F', 'FALSE', 'false', 'False'];
const patternLengthMax = 1_000;

export const parseText: Parse<string> = (text) => text;

/** The spellings that Go takes for a boolean; an empty text is as good as none. */
export function parseGoBoolean(whenEmpty: boolean): Parse<boolean> {
  return (text) => {
    if (text === '') return whenEmpty;
    if (goTrue.includes(text)) return true;
    if (goFalse.includes(text)) return false;
    throw new BadValue(`${quote(text)} is neither true nor false`);
  };
}

/** On only when it says exactly `true`; that other spellings switch it off is what existing installations rely on. */
export const parseExactlyTrue: Parse<boolean> = (text, note) => {
  if (text !== 'true' && text !== 'false' && text !== '') note(`${quote(text)} is not "true", so this is off`);
  return text === 'true';
};

/** Off only when it says exactly `false`. */
export const parseUnlessFalse: Parse<boolean> = (text, note) => {
  if (text !== 'true' && text !== 'false' && text !== '') note(`${quote(text)} is not "false", so this is on`);
  return text !== 'false';
};

export function parseInteger({ min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number }): Parse<number> {
  return (text) => {
    const value = Number(text);
    if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new BadValue(`${quote(text)} is not a whole number`);
    if (value < min || value > max) throw new BadValue(`${quote(text)} is not between ${min} and ${max}`);
    return value;
  };
}

export function parseChoice<const Choice extends string>(choices: readonly Choice[]): Parse<Choice> {
  return (text) => {
    const choice = choices.find((one) => one === text);
    if (choice === undefined) throw new BadValue(`${quote(text)} is none of ${choices.map((one) => quote(one)).join(', ')}`);
    return choice;
  };
}

/** Items between separators, without the blanks around them; empty items are none. */
export function parseSeparated(separator: RegExp): Parse<readonly string[]> {
  return (text) =>
    text
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== '');
}

export const parseCommaList: Parse<readonly string[]> = parseSeparated(/,/);

/** The same, where an empty text means the default. */
export function parseCommaListOr(whenEmpty: readonly string[]): Parse<readonly string[]> {
  return (text, note) => (text.trim() === '' ? whenEmpty : parseCommaList(text, note));
}

/** An address that a browser can go to, or none. */
export const parseWebUrl: Parse<string> = (text) => {
  if (text === '') return '';
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new BadValue('not an http or https address');
  return text;
};

/** A pattern that both we and Go can use; it is kept as text because clients are told it. */
export const parsePattern: Parse<string> = (text) => {
  if (text.length > patternLengthMax) throw new BadValue(`longer than ${patternLengthMax} characters`);
  try {
    new RegExp(text, 'u');
  } catch {
    throw new BadValue(`${quote(text)} is not a regular expression`);
  }
  return text;
};

/** An absolute path of a web address, with one slash in front and none behind. */
export const parseUrlPath: Parse<string> = (text) => {
  if (/[\s?#\\]/.test(text)) throw new BadValue(`${quote(text)} is not a path`);
  return text === '' ? '' : `/${text.replace(/^\/+|\/+$/g, '')}`;
};
