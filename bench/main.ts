/** Runs one measurement by name: `npm run bench -- wire` runs `bench/wire/main.ts`. */
import { existsSync, readdirSync } from 'node:fs';

const here = new URL('./', import.meta.url);
const names = readdirSync(here).filter((name) => existsSync(new URL(`${name}/main.ts`, here)));
const name = process.argv[2];

if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`);
  process.exitCode = 2;
} else {
  await import(new URL(`${name}/main.ts`, here).href);
}
