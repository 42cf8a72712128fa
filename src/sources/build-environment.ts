import type { RenderRequest } from './sources.ts';

/** The variables that parts of a source may use. */
export function buildEnvironment({ application, destinationNamespace, source, revision }: RenderRequest): ReadonlyMap<string, string> {
  return new Map([
    ['ARGOCD_APP_NAME', application.name],
    ['ARGOCD_APP_NAMESPACE', destinationNamespace],
    ['ARGOCD_APP_PROJECT_NAME', application.project],
    ['ARGOCD_APP_REVISION', revision],
    ['ARGOCD_APP_REVISION_SHORT', revision.slice(0, 7)],
    ['ARGOCD_APP_REVISION_SHORT_8', revision.slice(0, 8)],
    ['ARGOCD_APP_SOURCE_REPO_URL', source.repoURL],
    ['ARGOCD_APP_SOURCE_PATH', source.path ?? ''],
    ['ARGOCD_APP_SOURCE_TARGET_REVISION', source.targetRevision ?? ''],
  ]);
}

const VARIABLE = /\$(?:\$|\{([^}]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;
const BARE_VARIABLE = /\$(?:\$|([A-Za-z_][A-Za-z0-9_]*))/g;

/** Replaces `$NAME` and `${NAME}`; `$$` is a dollar sign, and a name that is not known is empty. */
export function substitute(text: string, environment: ReadonlyMap<string, string>): string {
  const valueOf = (match: string, name = ''): string => (match === '$$' ? '$' : (environment.get(name) ?? ''));
  // Behind the last brace nobody looks for another: each opening one would have all of the rest read, and there may be very many.
  const end = text.lastIndexOf('}') + 1;
  const head = text
    .slice(0, end)
    .replace(VARIABLE, (match, braced: string | undefined, bare: string | undefined) => valueOf(match, braced ?? bare));
  return `${head}${text.slice(end).replace(BARE_VARIABLE, (match, bare: string | undefined) => valueOf(match, bare))}`;
}

/** Whether a text depends on the environment. */
export function usesEnvironment(texts: readonly string[]): boolean {
  return texts.some((text) => text.includes('$'));
}
