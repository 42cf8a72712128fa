import type { Snapshot } from '../settings/index.ts';
import type { RenderSettings } from './sources.ts';

/** How an installation renders, as its settings say: the same for whoever renders. */
export function readRenderSettings({ general, parameters }: Pick<Snapshot, 'general' | 'parameters'>): RenderSettings {
  return {
    helmEnabled: general.helmEnabled,
    kustomizeEnabled: general.kustomizeEnabled,
    jsonnetEnabled: general.jsonnetEnabled,
    directorySizeMax: parameters.directorySizeMax,
    kustomizeBuildOptions: general.kustomizeBuildOptions,
    kustomizePaths: new Map([...general.kustomizeVersions, ...general.kustomizePaths]),
    helmValuesFileSchemes: general.helmValuesFileSchemes,
  };
}
