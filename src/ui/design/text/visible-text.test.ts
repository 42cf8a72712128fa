import { expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

it.each([
  ['plain, and\n\tlines', 'plain, and\n\tlines'],
  ['größer, 日本語, עברית, عربى', 'größer, 日本語, עברית, عربى'],
  ['user\u202Etxt.exe', 'user⟨U+202E⟩txt.exe'],
  ['ad\u200Bmin', 'ad⟨U+200B⟩min'],
  ['ad\u200Dmin', 'ad⟨U+200D⟩min'],
  ['👩\u200D🚀', '👩\u200D🚀'],
  ['\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
  ['\u001B[31mred', '⟨U+001B⟩[31mred'],
  ['\uFEFFfirst', '⟨U+FEFF⟩first'],
  ['', ''],
])('%j is shown as %j', (text, shown) => expect(visibleText(text)).toBe(shown));
