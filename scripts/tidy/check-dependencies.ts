/** Every dependency has one line in docs/dependencies.md saying why it is there, and no line outlives its dependency. */
import type { Finding, Rule } from './rule.ts';

const PAGE = 'docs/dependencies.md';
const ENTRY = /^\| `([^`]+)` \| (.*\S.*) \|$/;

export const dependencies: Rule = {
  name: 'dependencies',
  find: ({ packageJson, dependenciesPage }) => {
    const wanted = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies });
    const listed = dependenciesPage.split('\n').flatMap((line) => ENTRY.exec(line)?.[1] ?? []);
    const report = (message: string): Finding => ({ path: PAGE, message });
    return [
      ...wanted.filter((name) => !listed.includes(name)).map((name) => report(`${name} has no line saying why it is there`)),
      ...listed.filter((name) => !wanted.includes(name)).map((name) => report(`${name} is not a dependency any more`)),
      ...listed.filter((name, index) => listed.indexOf(name) !== index).map((name) => report(`${name} is listed twice`)),
    ];
  },
};
