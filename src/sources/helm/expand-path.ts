import { substitute } from '../build-environment.ts';

const OWN_VARIABLE = /\$\{?ARGOCD_/;

/**
 * The path of a value file with its variables replaced. `$values/x` starts with the name of another source, which is no variable, also
 * where there is no such source; variables may follow it.
 */
export function expandPath(path: string, environment: ReadonlyMap<string, string>, references: Iterable<string> = []): string {
  const first = path.split('/')[0] ?? '';
  const isName = first.startsWith('$') && (first.search(OWN_VARIABLE) !== 0 || [...references].includes(first));
  if (isName) return `${first}${substitute(path.slice(first.length), environment)}`;
  return OWN_VARIABLE.test(path) ? substitute(path, environment) : path;
}
