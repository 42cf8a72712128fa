import { lazy } from 'react';
import type { View } from '../../app/index.ts';

/** In the order in which they are shown; the first one is where a visit begins. */
export const tabs: readonly View[] = [
  { id: 'applications', title: 'Applications', Content: lazy(async () => ({ default: (await import('./tree/tree-tab.tsx')).TreeTab })) },
  { id: 'preview', title: 'Preview', Content: lazy(async () => ({ default: (await import('./preview-tab.tsx')).PreviewTab })) },
  { id: 'rollout', title: 'Rollout', Content: lazy(async () => ({ default: (await import('./rollout/rollout-tab.tsx')).RolloutTab })) },
  { id: 'details', title: 'Details', Content: lazy(async () => ({ default: (await import('./details-tab.tsx')).DetailsTab })) },
  { id: 'events', title: 'Events', Content: lazy(async () => ({ default: (await import('./events-tab.tsx')).EventsTab })) },
];
