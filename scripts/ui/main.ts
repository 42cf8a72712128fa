/** Builds the web interface where it is not that of the sources: what `npm start` runs first. */
import { fileURLToPath } from 'node:url';
import { ensureUi } from '../build/build-ui.ts';

await ensureUi(fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, ''));
