import { lazy } from 'react';
import type { View } from '../../app/index.ts';

/** In the order in which they are shown; the first one is where a visit begins. */
export const tabs: readonly View[] = [
  { id: 'rules', title: 'Rules', Content: lazy(async () => ({ default: (await import('./rules/rules-tab.tsx')).RulesTab })) },
  { id: 'roles', title: 'Roles', Content: lazy(async () => ({ default: (await import('./roles/roles-tab.tsx')).RolesTab })) },
  {
    id: 'windows',
    title: 'Sync windows',
    Content: lazy(async () => ({ default: (await import('./windows/windows-tab.tsx')).WindowsTab })),
  },
  { id: 'who-can', title: 'Who can', Content: lazy(async () => ({ default: (await import('./access/who-can-tab.tsx')).WhoCanTab })) },
  { id: 'events', title: 'Events', Content: lazy(async () => ({ default: (await import('./events/events-tab.tsx')).EventsTab })) },
];
