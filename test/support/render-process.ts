/**
 * A process of its own that renders: `node render-process.ts <cache> <url> <limits as JSON> <path>...`. It writes one line of JSON: the names
 * that came out for each path, and where the results came from.
 */
import { openTestSources } from './sources.ts';

const [folder = '', url = '', limits = '{}', ...paths] = process.argv.slice(2);
const from: Record<string, number> = {};
const test = await openTestSources({
  folder,
  limits: JSON.parse(limits) as object,
  onResult: (origin) => void (from[origin] = (from[origin] ?? 0) + 1),
});
const names = await Promise.all(paths.map((path) => test.names({ repoURL: url, path })));
await test.close();
process.stdout.write(`${JSON.stringify({ names, from, logged: test.logged() })}\n`);
