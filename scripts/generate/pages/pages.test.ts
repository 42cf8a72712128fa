import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makePages } from './pages.ts';

it.each([...makePages()])('docs/%s is what its table makes: npm run generate', (name, text) => {
  expect(readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')).toBe(text);
});
