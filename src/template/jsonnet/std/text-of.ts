import type { Runtime } from '../runtime.ts';

const CODE_POINT_MAX = 0x10ffff;
const REPLACEMENT = '\ufffd';

/** The character with a number; halves of a pair are none. */
export function charOf(runtime: Runtime, code: number): string {
  if (code > CODE_POINT_MAX) throw runtime.fail(`Invalid unicode codepoint, got ${code}`);
  if (code < 0) throw runtime.fail(`Codepoints must be >= 0, got ${code}`);
  const whole = Math.trunc(code);
  return whole >= 0xd800 && whole <= 0xdfff ? REPLACEMENT : String.fromCodePoint(whole);
}
