import { define } from '../go/go-function.ts';
import type { NamedFunctions } from './environment.ts';

type WordKind = 'number' | 'upper' | 'alphabet' | 'connector' | 'punctuation' | 'other' | 'none';

interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

const CONNECTOR = /^[-_\s\x85]$/u;
const UPPER = /^\p{Lu}$/u;
const LOWER = /^\p{Ll}$/u;
const TITLE = /^\p{Lt}$/u;
const SPACE = /^[\s\x85]$/u;
/** A word of one kind at the start of a text; letters that belong to no case count as other. */
const WORDS: readonly (readonly [WordKind, RegExp])[] = [
  ['connector', /^[-_\s\x85]+/u],
  ['punctuation', /^\p{P}+/u],
  ['upper', /^\p{Lu}{2,}(?!\p{Ll})|^\p{Lu}+(?=\p{Lu}\p{Ll})|^\p{Lu}\p{Ll}*/u],
  ['alphabet', /^\p{Ll}+/u],
  ['number', /^\p{N}+/u],
  ['other', /^[^-_\s\x85\p{L}\p{N}\p{P}]+|^[^]/u],
];

export function caseFunctions(): NamedFunctions {
  return [
    ['camelcase', define('string', pascalCase)],
    ['snakecase', define('string', (text: string) => joinWords(text, '_'))],
    ['kebabcase', define('string', (text: string) => joinWords(text, '-'))],
    ['swapcase', define('string', swapCase)],
    ['untitle', define('string', untitle)],
  ];
}

function isConnector(character: string): boolean {
  return CONNECTOR.test(character);
}

/** Connectors go and the letter after one is upper case; of several connectors in a row all but one stay. */
function pascalCase(text: string): string {
  const characters = Array.from(text);
  let made = '';
  let at = 0;
  while (at < characters.length && isConnector(characters[at] ?? '')) made += characters[at++] ?? '';
  const first = characters[at];
  if (first === undefined) return made;
  let wasUpper = UPPER.test(first);
  let held = first.toUpperCase();
  for (const next of characters.slice(at + 1)) {
    let current = next;
    if (isConnector(next) && isConnector(held)) {
      made += held;
    } else if (isConnector(held)) {
      wasUpper = UPPER.test(next);
      current = next.toUpperCase();
    } else {
      if (wasUpper && UPPER.test(next)) current = next.toLowerCase();
      else wasUpper = false;
      made += held;
    }
    held = current;
  }
  return made + held;
}

function nextWord(text: string): Word {
  if (text === '') return { kind: 'none', text: '' };
  for (const [kind, pattern] of WORDS) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined && found !== '') return { kind, text: found };
  }
  return { kind: 'other', text };
}

/** Words in lower case with a connector between them; where a number belongs to the word after it, it has none. */
function joinWords(text: string, connector: string): string {
  let made = '';
  let rest = text;
  const take = (): Word => {
    const word = nextWord(rest);
    rest = rest.slice(word.text.length);
    return word;
  };
  const put = ({ kind, text: part }: Word): void => {
    made += kind === 'upper' ? part.toLowerCase() : kind === 'connector' ? connector.repeat(Array.from(part).length) : part;
  };
  const joins = ({ kind }: Word): boolean => kind !== 'none' && kind !== 'punctuation' && kind !== 'connector';
  const takeMixed = (start: Word): Word => {
    let word = start;
    while (word.kind === 'alphabet' || word.kind === 'number') {
      put(word);
      word = take();
    }
    return word;
  };
  let word = take();
  while (rest !== '') {
    if (word.kind !== 'connector') put(word);
    const previous = word;
    word = take();
    if (previous.kind === 'number') {
      word = takeMixed(word);
      if (joins(word)) made += connector;
    } else if (previous.kind === 'connector') {
      put(previous);
    } else if (previous.kind !== 'punctuation') {
      if (word.kind !== 'number') {
        if (joins(word)) made += connector;
      } else if (rest !== '') {
        const number = word;
        word = take();
        if (word.kind === 'alphabet') {
          made += connector;
          put(number);
          word = takeMixed(word);
          if (joins(word)) made += connector;
        } else {
          put(number);
          if (joins(word)) made += connector;
        }
      }
    }
  }
  put(word);
  return made;
}

function swapCase(text: string): string {
  let made = '';
  for (const character of text) {
    if (UPPER.test(character) || TITLE.test(character)) made += character.toLowerCase();
    else made += LOWER.test(character) ? character.toUpperCase() : character;
  }
  return made;
}

function untitle(text: string): string {
  let made = '';
  let atStart = true;
  for (const character of text) {
    const isSpace = SPACE.test(character);
    made += atStart && !isSpace ? character.toLowerCase() : character;
    atStart = isSpace;
  }
  return made;
}
