import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Ids by the reason why no test names them; undefined for the others. */
const catalogue = new Map(
  readFileSync(new URL('attack-catalogue.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => /^([A-Z0-9]+-\d+)(?:: (.+))?$/.exec(line)?.slice(1, 3) as [string, string | undefined]),
);

/** Every text of the tests, and of the stories that several of them tell. */
function readTests(): string {
  const isTest = (name: string): boolean => /\.(?:ts|tsx)$/.test(name) && (name.startsWith('test/') || name.includes('.test.'));
  return ['src', 'test', 'scripts']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter(isTest)
    .map((name) => readFileSync(join(ROOT, name), 'utf8'))
    .join('\n');
}

/** The ids in titles and in the rows that titles are made of, which are texts: what a comment names is not tested by that. */
function idsIn(source: string): string[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const texts = code.match(/(?<quote>['"`])(?:\\.|(?!\k<quote>).)*\k<quote>/g) ?? [];
  return texts.flatMap((text) => text.match(/\b[A-Z][A-Z0-9]+-\d{2}\b/g) ?? []);
}

describe('the catalogue of attacks', () => {
  const named = new Set(idsIn(readTests()));

  it('counts what titles name, and no comment', () => {
    const source = "// NONE-04 is for later.\n/**\n * NONE-05\n */\nit('NONE-06, NONE-07: %s', run); // NONE-09\n['NONE-10: a row', 1],\n";
    expect(idsIn(source)).toEqual(['NONE-06', 'NONE-07', 'NONE-10']);
  });

  it('has a test for each, or a reason', () => {
    expect([...catalogue].filter(([id, reason]) => reason === undefined && !named.has(id)).map(([id]) => id)).toEqual([]);
  });

  it('has no reason for what is tested', () => {
    expect([...catalogue].filter(([id, reason]) => reason !== undefined && named.has(id)).map(([id]) => id)).toEqual([]);
  });

  it('has 242 of them', () => {
    expect(catalogue.size).toBe(242);
  });
});
