import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api } from '../../../api/index.ts';
import { EventList } from '../../../design/index.ts';
import { useShownName } from '../use-project.ts';

/** What people did to the project lately. */
export function EventsTab(): ReactElement {
  const name = useShownName();
  const read = useQuery({
    queryKey: ['project', name, 'events'],
    queryFn: ({ signal }) => api.ProjectService.ListEvents({ name }, { signal }),
  });
  return <EventList read={read} empty="What people do to this project is told here for an hour or so." />;
}
