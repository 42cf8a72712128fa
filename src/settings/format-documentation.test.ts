import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatDocumentation } from './format-documentation.ts';

it('docs/settings.md is what the tables say; run node scripts/settings/main.ts', () => {
  const text = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  expect(text).toBe(formatDocumentation());
  expect(text).toContain('| `users.session.duration` | 24h |');
});
