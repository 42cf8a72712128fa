import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** A view of the set: one line below. Its code is fetched when somebody looks. */
interface SetTab {
  readonly id: string;
  readonly title: string;
  readonly Content: LazyExoticComponent<ComponentType>;
}

/** In the order in which they are shown; the first one is where a visit begins. */
export const tabs: readonly SetTab[] = [
  { id: 'applications', title: 'Applications', Content: lazy(async () => ({ default: (await import('./tree/tree-tab.tsx')).TreeTab })) },
  { id: 'preview', title: 'Preview', Content: lazy(async () => ({ default: (await import('./preview-tab.tsx')).PreviewTab })) },
  { id: 'rollout', title: 'Rollout', Content: lazy(async () => ({ default: (await import('./rollout/rollout-tab.tsx')).RolloutTab })) },
  { id: 'details', title: 'Details', Content: lazy(async () => ({ default: (await import('./details-tab.tsx')).DetailsTab })) },
  { id: 'events', title: 'Events', Content: lazy(async () => ({ default: (await import('./events-tab.tsx')).EventsTab })) },
];
