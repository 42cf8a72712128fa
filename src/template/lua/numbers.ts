import { formatFloat } from '../go/format-number.ts';
import type { LuaValue } from './value.ts';

const INTEGER_LIMIT = 2 ** 63;

/** A number as a text: whole ones without a point as far as 64 bits go. */
export function formatNumber(value: number): string {
  const isWhole = Number.isInteger(value) && value >= -INTEGER_LIMIT && value < INTEGER_LIMIT;
  return isWhole ? BigInt(value).toString() : formatFloat(value, 'g', -1);
}

/** The number that a text stands for, as arithmetic and `tonumber` read it; undefined for none. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^[-+]?0[xX][0-9A-Fa-f]+$/.test(trimmed)) {
    const size = Number(trimmed.replace(/^[-+]/, ''));
    return trimmed.startsWith('-') ? -size : size;
  }
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** A number, or a text that stands for one. */
export function toNumber(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

/** A text, or a number as one; undefined for anything else. */
export function toText(value: LuaValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? formatNumber(value) : undefined;
}
