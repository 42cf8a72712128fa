/** Writes docs/settings.md from the tables that settings are parsed with. A test fails when it is out of date. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatDocumentation } from '../../src/settings/index.ts';

writeFileSync(fileURLToPath(new URL('../../docs/settings.md', import.meta.url)), formatDocumentation());
