import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api } from '../../api/index.ts';
import { EventList } from '../../design/index.ts';
import { useShownSet } from './use-application-set.ts';

/** What people and the controller did lately. */
export function EventsTab(): ReactElement {
  const { name = '', namespace = '', resourceVersion } = useShownSet().metadata;
  const read = useQuery({
    // What the set went through since is told by new events.
    queryKey: ['application-set', namespace, name, 'events', resourceVersion],
    queryFn: ({ signal }) => api.ApplicationSetService.ListResourceEvents({ name, appsetNamespace: namespace }, { signal }),
    placeholderData: (before) => before,
  });
  return <EventList read={read} empty="What is done to this set, and what it does to applications, is told here for an hour or so." />;
}
