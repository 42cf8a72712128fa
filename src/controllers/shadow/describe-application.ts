import type { Application } from '../../model/index.ts';
import type { ShadowVerdict } from './shadow-verdict.ts';

/** An application of which nothing is known yet but what they wrote down. */
export function describeApplication({ metadata, spec, status }: Application): ShadowVerdict {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    project: spec.project || 'default',
    verdict: 'pending',
    reason: '',
    sync: { ours: '', theirs: status?.sync?.status ?? '' },
    health: { ours: '', theirs: status?.health?.status ?? '' },
    resources: 0,
    disagreements: [],
    wordings: [],
    wouldWrite: [],
  };
}
