import { quote, unquote } from '../go/quote.ts';
import { TemplateError } from '../template-error.ts';
import type { NumberNode } from './node.ts';

const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;
/** An underscore may stand between digits, and after the mark of a base. */
const INTEGER = /^([-+]?)(?:0[xX]((?:_?[0-9a-fA-F])+)|0[oO]((?:_?[0-7])+)|0[bB]((?:_?[01])+)|0((?:_?[0-7])+)|(0|[1-9](?:_?[0-9])*))$/;
const DECIMAL = /^[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?$/;
const HEXADECIMAL = /^([-+]?)0[xX]_?([0-9a-fA-F_]*)\.?([0-9a-fA-F_]*)[pP]([-+]?\d+)$/;

/** A number as a template writes it: whichever of Go's number types it fits. */
export function parseNumber(text: string, pos: number): NumberNode {
  if (text.endsWith('i') && !/^[-+]?0[xX]/.test(text)) throw new TemplateError(`complex numbers are not supported: ${quote(text)}`);
  const integer = parseInteger(text);
  const uint = integer !== undefined && integer >= 0n && integer <= UINT64_MAX && !/^[-+]/.test(text) ? integer : undefined;
  const int = integer !== undefined && integer >= -INT64_MAX - 1n && integer <= INT64_MAX ? integer : undefined;
  if (int !== undefined || uint !== undefined)
    return { type: 'number', pos, text, int, uint: int === 0n ? 0n : uint, float: Number(int ?? uint) };
  const float = parseFloatText(text);
  if (float === undefined) throw new TemplateError(`illegal number syntax: ${quote(text)}`);
  if (!/[.eEpP]/.test(text)) throw new TemplateError(`integer overflow: ${quote(text)}`);
  const whole = Number.isInteger(float) ? BigInt(float) : undefined;
  return {
    type: 'number',
    pos,
    text,
    float,
    int: whole !== undefined && whole >= -INT64_MAX - 1n && whole <= INT64_MAX ? whole : undefined,
    uint: whole !== undefined && whole >= 0n && whole <= UINT64_MAX ? whole : undefined,
  };
}

/** `'x'` is the number of its character. */
export function parseCharacter(literal: string, pos: number): NumberNode {
  const character = unquote(literal);
  if (character === undefined) throw new TemplateError(literal === "''" ? 'invalid syntax' : `malformed character constant: ${literal}`);
  const code = BigInt(character.codePointAt(0) ?? 0);
  return { type: 'number', pos, text: literal, int: code, uint: code, float: Number(code) };
}

export function parseInteger(text: string): bigint | undefined {
  const found = INTEGER.exec(text);
  if (found === null) return undefined;
  const [, sign, hexadecimal, octal, binary, oldOctal, decimal] = found;
  const digits = (prefix: string, part: string | undefined) => (part === undefined ? undefined : prefix + part.replaceAll('_', ''));
  const value = BigInt(digits('0x', hexadecimal) ?? digits('0o', octal ?? oldOctal) ?? digits('0b', binary) ?? digits('', decimal) ?? '0');
  return sign === '-' ? -value : value;
}

function parseFloatText(text: string): number | undefined {
  if (DECIMAL.test(text)) {
    if (text.includes('_') && !/^[-+]?0[xX]/.test(text)) return undefined;
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const found = HEXADECIMAL.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  const digits = (whole + fraction).replaceAll('_', '');
  if (digits === '') return undefined;
  const value = Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent) - 4 * fraction.replaceAll('_', '').length);
  return sign === '-' ? -value : value;
}
