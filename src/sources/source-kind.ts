import type { ApplicationSource } from '../contract/index.ts';
import type { RepositoryAccess } from './repository-access.ts';

/** Where a source comes from: a commit, a chart of a Helm repository or registry, or an artifact of a registry. */
export type SourceKind = 'git' | 'chart' | 'artifact';

export function kindOf({ repoURL, chart = '' }: Pick<ApplicationSource, 'repoURL' | 'chart'>, { type }: RepositoryAccess): SourceKind {
  if (chart !== '') return 'chart';
  return type === 'oci' || repoURL.startsWith('oci://') ? 'artifact' : 'git';
}
