import { lazy } from 'react';
import type { View } from '../../app/index.ts';

/** In the order in which they are shown; the first one is where a visit begins. */
export const tabs: readonly View[] = [
  { id: 'resources', title: 'Resources', Content: lazy(async () => ({ default: (await import('./tree/tree-tab.tsx')).TreeTab })) },
  { id: 'history', title: 'History', Content: lazy(async () => ({ default: (await import('./history/history-tab.tsx')).HistoryTab })) },
  {
    id: 'operation',
    title: 'Operation',
    Content: lazy(async () => ({ default: (await import('./operation/operation-tab.tsx')).OperationTab })),
  },
  {
    id: 'timeline',
    title: 'Timeline',
    Content: lazy(async () => ({ default: (await import('./timeline/timeline-tab.tsx')).TimelineTab })),
  },
  { id: 'details', title: 'Details', Content: lazy(async () => ({ default: (await import('./details/details-tab.tsx')).DetailsTab })) },
  { id: 'logs', title: 'Logs', Content: lazy(async () => ({ default: (await import('./logs/resource-logs.tsx')).ApplicationLogs })) },
];
