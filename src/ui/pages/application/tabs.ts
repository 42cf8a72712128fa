import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** A view of the application: one line below. Its code is fetched when somebody looks. */
interface ApplicationTab {
  readonly id: string;
  readonly title: string;
  readonly Content: LazyExoticComponent<ComponentType>;
}

/** In the order in which they are shown; the first one is where a visit begins. */
export const tabs: readonly ApplicationTab[] = [
  { id: 'resources', title: 'Resources', Content: lazy(async () => ({ default: (await import('./tree/tree-tab.tsx')).TreeTab })) },
  { id: 'logs', title: 'Logs', Content: lazy(async () => ({ default: (await import('./logs/resource-logs.tsx')).ApplicationLogs })) },
];
