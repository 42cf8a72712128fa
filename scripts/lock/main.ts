/** `npm run lock`: completes package-lock.json after `npm install` has changed it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { completeLock, findMissing, type Lock } from './complete-lock.ts';

const PATH = new URL('../../package-lock.json', import.meta.url);

const lock = JSON.parse(readFileSync(PATH, 'utf8')) as Lock;
const added = findMissing(lock).length;
if (added > 0) writeFileSync(PATH, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
console.log(`${added} builds for other platforms added to package-lock.json`);
