/** Texts of Jsonnet are made of code points; most have none that takes two code units, and are then as quick as JavaScript's own. */

const WIDE = /[\ud800-\udfff]/;

export function isNarrow(text: string): boolean {
  return !WIDE.test(text);
}

export function codePoints(text: string): string[] {
  return isNarrow(text) ? text.split('') : Array.from(text);
}

export function textLength(text: string): number {
  if (isNarrow(text)) return text.length;
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The code point at an index, or undefined. */
export function textAt(text: string, index: number): string | undefined {
  return isNarrow(text) ? text[index] : Array.from(text)[index];
}

/** From one index to before another, in code points. */
export function textSlice(text: string, from: number, to?: number): string {
  return isNarrow(text) ? text.slice(from, to) : Array.from(text).slice(from, to).join('');
}

/** The order of code points, which is that of UTF-8. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (isNarrow(left) && isNarrow(right)) return left < right ? -1 : 1;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
