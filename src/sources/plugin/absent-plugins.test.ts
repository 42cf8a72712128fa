import { expect, it } from 'vitest';
import { createAbsentPlugins } from './absent-plugins.ts';

it('a plugin that listened is missed for a while, until it listens again or is forgotten', () => {
  let nowMs = 0;
  const absent = createAbsentPlugins({ nowMs: () => nowMs });
  expect(absent.look(['a', 'b'])).toEqual([]);
  nowMs = 60_000;
  expect(absent.look(['b'])).toEqual(['a']);
  expect(absent.look([])).toEqual(['a', 'b']);
  expect(absent.look(['a'])).toEqual(['b']);
  nowMs = 11 * 60_000;
  expect(absent.look(['a'])).toEqual([]);
});
