import { delimiter, join } from 'node:path';

/** A program that renders sources, in the one version that existing users' manifests were rendered with. */
export interface RenderProgram {
  readonly name: 'helm' | 'kustomize';
  readonly version: string;
  /** What is built; the module beside this file of the program's name says from what, with a checksum of every part. */
  readonly package: string;
  readonly linkerFlags: string;
}

export const renderPrograms: readonly RenderProgram[] = [
  {
    name: 'helm',
    version: 'v4.2.1',
    package: 'helm.sh/helm/v4/cmd/helm',
    linkerFlags: '-s -w -X helm.sh/helm/v4/internal/version.version=v4.2.1',
  },
  {
    name: 'kustomize',
    version: 'v5.8.1',
    package: 'sigs.k8s.io/kustomize/kustomize/v5',
    linkerFlags: '-s -w -X sigs.k8s.io/kustomize/api/provenance.version=v5.8.1',
  },
];

/** Where a program is, once it is installed. */
export function folderOfProgram(cache: string, { name, version }: Pick<RenderProgram, 'name' | 'version'>): string {
  return join(cache, 'programs', `${name}-${version}`);
}

/** Where programs are looked for: where the machine has its own, then where they are installed. */
export function extendSearchPath(searchPath: string, cache: string): string {
  return [searchPath, ...renderPrograms.map((program) => folderOfProgram(cache, program))].join(delimiter);
}
