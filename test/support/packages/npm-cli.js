/**
 * Stands in for npm in tests of the launcher: writes what it was asked for into the log named by STUB_NPM_LOG, and
 * puts packages in place. An install takes until the file STUB_NPM_GATE exists, where that is set.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const { STUB_NPM_LOG, STUB_NPM_GATE, STUB_NPM_FAILURE, STUB_NODE } = process.env;
const [command, ...flags] = process.argv.slice(2);
appendFileSync(STUB_NPM_LOG, `${command} ${flags.filter((flag) => flag.startsWith('--') && flag !== '--prefix').join(' ')}\n`);
if (STUB_NPM_FAILURE) {
  process.stderr.write(`${STUB_NPM_FAILURE}\n`);
  process.exit(1);
}
const giveUpAt = Date.now() + 30_000;
while (STUB_NPM_GATE && !existsSync(STUB_NPM_GATE) && Date.now() < giveUpAt) await wait(10);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
if (command === 'ci') rmSync('node_modules', { recursive: true, force: true });
for (const path of Object.keys(packages).filter((name) => name !== '')) {
  mkdirSync(join(path, 'bin'), { recursive: true });
  if (basename(path).startsWith('node-')) symlinkSync(STUB_NODE, join(path, 'bin', 'node'));
}
mkdirSync('node_modules', { recursive: true });
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
