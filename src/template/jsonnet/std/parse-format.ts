import type { Runtime } from '../runtime.ts';

export interface FormatFlags {
  /** `#`. */
  readonly alternate: boolean;
  readonly zero: boolean;
  readonly left: boolean;
  readonly blank: boolean;
  readonly plus: boolean;
}

/** What stands for a value: `%(key)-08.3f`. */
export interface FormatCode {
  readonly key: string | undefined;
  readonly flags: FormatFlags;
  readonly width: number | '*';
  readonly precision: number | '*' | undefined;
  readonly conversion: 'd' | 'o' | 'x' | 'e' | 'f' | 'g' | 'c' | 's' | '%';
  readonly isUpper: boolean;
}

const CODE = /%(?:\(([^)]*)\))?([#0\- +]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?([^])/uy;

/** The texts and codes of a format in their order. */
export function parseFormat(runtime: Runtime, text: string): (string | FormatCode)[] {
  const parts: (string | FormatCode)[] = [];
  let at = 0;
  for (let found = text.indexOf('%'); found >= 0; found = text.indexOf('%', at)) {
    if (found > at) parts.push(text.slice(at, found));
    CODE.lastIndex = found;
    const code = CODE.exec(text);
    if (code === null) throw runtime.fail('Truncated format code.');
    parts.push(readCode(runtime, code));
    at = CODE.lastIndex;
    runtime.step();
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function readCode(runtime: Runtime, [, key, flags = '', width = '', precision, letter = '']: RegExpExecArray): FormatCode {
  const lower = letter.toLowerCase();
  const conversion = lower === 'i' || lower === 'u' ? 'd' : lower;
  const isKnown = /^[diuoxXeEfFgGcs%]$/.test(letter);
  if (!isKnown) throw runtime.fail(`Unrecognised conversion type: ${letter}`);
  return {
    key,
    flags: {
      alternate: flags.includes('#'),
      zero: flags.includes('0'),
      left: flags.includes('-'),
      blank: flags.includes(' '),
      plus: flags.includes('+'),
    },
    width: width === '*' ? '*' : Number(width),
    precision: precision === undefined ? undefined : precision === '*' ? '*' : Number(precision),
    conversion: conversion as FormatCode['conversion'],
    isUpper: letter !== lower,
  };
}
