import { lazy, Suspense, type ReactElement } from 'react';
import { readText, useSearchValues } from '../../../app/index.ts';
import { EmptyState, Loading, Panel, Tabs, type TabDescription } from '../../../design/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { ResourceEvents } from './events.tsx';
import { ResourceActions } from './resource-actions.tsx';
import { ResourceSummary } from './summary.tsx';
import './resource.css';

const ResourceComparison = lazy(async () => ({ default: (await import('./comparison.tsx')).ResourceComparison }));
const LiveManifest = lazy(async () => ({ default: (await import('./manifests.tsx')).LiveManifest }));
const DesiredManifest = lazy(async () => ({ default: (await import('./manifests.tsx')).DesiredManifest }));

/** Everything about one resource; which one, and which view of it, is in the address. */
export function ResourcePanel({ resources }: { readonly resources: readonly ShownResource[] }): ReactElement {
  const [search, change] = useSearchValues();
  const id = readText(search['node']);
  const resource = resources.find((each) => each.id === id);
  const close = (): void => change({ node: undefined, panel: undefined }, { replace: false });
  const [, kind = '', , ...name] = id.split('/');
  return (
    <Panel title={`${kind} ${name.join('/')}`} isOpen={id !== ''} onClose={close}>
      {resource === undefined ? (
        <EmptyState icon="search" title="It is gone">
          It is not, or no longer, part of the application.
        </EmptyState>
      ) : (
        <Inside resource={resource} onClose={close} />
      )}
    </Panel>
  );
}

function Inside({ resource, onClose }: { readonly resource: ShownResource; readonly onClose: () => void }): ReactElement {
  const [search, change] = useSearchValues();
  const views = viewsOf(resource);
  const selected = views.find(({ id }) => id === readText(search['panel']))?.id ?? views[0]!.id;
  return (
    <div className="resource">
      <ResourceActions resource={resource} onDeleted={onClose} />
      <Tabs
        label="Views of the resource"
        selected={selected}
        onSelect={(id) => change({ panel: id === views[0]!.id ? undefined : id })}
        tabs={views}
      />
    </div>
  );
}

function viewsOf(resource: ShownResource): readonly TabDescription[] {
  const isCompared = resource.sync !== undefined;
  return [
    { id: 'summary', title: 'Summary', content: <ResourceSummary resource={resource} /> },
    ...(isCompared ? [{ id: 'diff', title: 'Difference', content: later(<ResourceComparison resource={resource} />) }] : []),
    { id: 'live', title: 'Live manifest', content: later(<LiveManifest resource={resource} />) },
    ...(isCompared ? [{ id: 'desired', title: 'Desired manifest', content: later(<DesiredManifest resource={resource} />) }] : []),
    { id: 'events', title: 'Events', content: <ResourceEvents resource={resource} /> },
  ];
}

function later(content: ReactElement): ReactElement {
  return <Suspense fallback={<Loading />}>{content}</Suspense>;
}
