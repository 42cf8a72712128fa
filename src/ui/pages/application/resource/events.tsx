import type { ReactElement } from 'react';
import { EventList } from '../../../design/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { useEvents } from './use-resource.ts';

/** What happened to it lately. */
export function ResourceEvents({ resource }: { readonly resource: ShownResource }): ReactElement {
  return <EventList read={useEvents(resource)} empty="A cluster forgets its events after an hour or so." />;
}
