import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { formatDocumentation } from './format-documentation.ts';
import { generalTable } from './tables/general-settings.ts';
import { parameterTable } from './tables/parameter-settings.ts';

it('docs/settings.md is what the tables say; run node scripts/settings/main.ts', () => {
  const text = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  expect(text).toBe(formatDocumentation());
  expect(text).toContain('| `users.session.duration` | 24h |');
});

it('calls nothing planned that code reads', () => {
  const read = listSettingsRead();
  expect(read.size).toBeGreaterThan(50);
  const planned = Object.entries({ ...generalTable, ...parameterTable }).filter(([, { use }]) => use === 'planned');
  expect(planned.map(([name]) => name).filter((name) => read.has(name))).toEqual([]);
});

/** Names that stand behind `general.` or `parameters.`, or are taken out of one of them, anywhere but in this room. */
function listSettingsRead(): ReadonlySet<string> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = globSync('*/**/*.ts', { cwd: root }).filter((file) => !/^(?:settings|contract|ui)\W|\.test\.ts$/.test(file));
  return new Set(
    files.flatMap((file) => {
      const text = readFileSync(`${root}/${file}`, 'utf8');
      const taken = [...text.matchAll(/\{([^{}]*)\} = [^;{}]*(?:general|parameters)\b/g)].flatMap(
        ([, names = '']) => names.match(/\w+/g) ?? [],
      );
      return [...taken, ...[...text.matchAll(/\b(?:general|parameters)\.(\w+)/g)].map(([, name = '']) => name)];
    }),
  );
}
