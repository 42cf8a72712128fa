/** Prints what is untidy; ends with 1 when there is something. */
import { fileURLToPath } from 'node:url';
import { findViolations } from './find-violations.ts';
import { readTree } from './read-tree.ts';

const tree = readTree(fileURLToPath(new URL('../..', import.meta.url)));
const violations = findViolations(tree);
for (const violation of violations) console.error(violation);
console.log(`${tree.files.length} files looked at, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
