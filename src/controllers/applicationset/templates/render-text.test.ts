import { expect, it } from 'vitest';
import { GoMap } from '../../../template/index.ts';
import { withLengthLimit } from './render-text.ts';

it('APPSET-05: renders no more than a set can mean, however many applications it has', () => {
  const nothing = new GoMap(new Map());
  const render = withLengthLimit((text) => (text === 'long' ? 'x'.repeat(64 << 20) : text));
  for (let count = 0; count < 4; count++) expect(render('long', nothing)).toHaveLength(64 << 20);
  expect(render('the same', nothing)).toBe('the same');
  expect(() => render('long', nothing)).toThrow('the templates of the ApplicationSet make more than 268435456 characters');
});
