/** Texts of Jsonnet are made of code points; most have none that takes two code units, and are then as quick as JavaScript's own. */

const WIDE = /[\ud800-\udfff]/;
/** Longer texts are remembered, since programs go through them character by character. */
const REMEMBERED_MIN = 64;

let last: { readonly text: string; readonly points: readonly string[] | undefined } = { text: '', points: undefined };

/** The code points of a text where they are not its code units, or else undefined. */
function widePoints(text: string): readonly string[] | undefined {
  if (text.length < REMEMBERED_MIN) return WIDE.test(text) ? Array.from(text) : undefined;
  if (text !== last.text) last = { text, points: WIDE.test(text) ? Array.from(text) : undefined };
  return last.points;
}

export function codePoints(text: string): readonly string[] {
  return widePoints(text) ?? text.split('');
}

export function textLength(text: string): number {
  return widePoints(text)?.length ?? text.length;
}

/** The code point at an index, or undefined. */
export function textAt(text: string, index: number): string | undefined {
  const points = widePoints(text);
  return points === undefined ? text[index] : points[index];
}

/** From one index to before another, in code points. */
export function textSlice(text: string, from: number, to?: number): string {
  return widePoints(text)?.slice(from, to).join('') ?? text.slice(from, to);
}

/** The order of code points, which is that of UTF-8. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (!WIDE.test(left) && !WIDE.test(right)) return left < right ? -1 : 1;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
