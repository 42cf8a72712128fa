import { ApiError, Code } from '../base/index.ts';
import type { ApplicationSource } from '../contract/index.ts';
import type { RenderSettings, SourceType } from './sources.ts';
import { childrenOf } from './trees/tree-children.ts';
import type { TreeListing } from './trees/tree-listing.ts';

const KUSTOMIZATION_NAMES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** What renders a source: what it says itself, or else what its folder looks like. */
export function detectSourceType(
  source: ApplicationSource,
  { listing, folder, settings }: { readonly listing: TreeListing; readonly folder: string; readonly settings: RenderSettings },
): SourceType {
  const explicit = explicitSourceType(source);
  if (explicit !== undefined) return isEnabled(explicit, settings) ? explicit : 'Directory';
  let detected: SourceType = 'Directory';
  for (const name of fileNames(listing, folder)) {
    const type = name.endsWith('Chart.yaml') ? 'Helm' : KUSTOMIZATION_NAMES.includes(name) ? 'Kustomize' : undefined;
    if (type !== undefined && isEnabled(type, settings)) detected = type;
  }
  return detected;
}

export function explicitSourceType(source: ApplicationSource): SourceType | undefined {
  const named: SourceType[] = [];
  if (source.kustomize) named.push('Kustomize');
  if (source.helm) named.push('Helm');
  if (source.directory) named.push('Directory');
  if (source.plugin) named.push('Plugin');
  if (named.length > 1)
    throw new ApiError(Code.Unknown, `error getting app source type: multiple application sources defined: ${named.join(',')}`);
  return named[0];
}

function isEnabled(type: SourceType, { helmEnabled = true, kustomizeEnabled = true }: RenderSettings): boolean {
  if (type === 'Helm') return helmEnabled;
  return type === 'Kustomize' ? kustomizeEnabled : true;
}

/** In byte order: of several names that say something, the last one counts. */
function fileNames(listing: TreeListing, folder: string): string[] {
  const start = folder === '' ? '' : `${folder}/`;
  return childrenOf(listing, folder).filter((name) => {
    const kind = listing.entries.get(`${start}${name}`)?.kind;
    return kind === 'file' || kind === 'symlink';
  });
}
