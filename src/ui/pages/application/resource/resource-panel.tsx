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
const ResourceLogs = lazy(async () => ({ default: (await import('../logs/resource-logs.tsx')).ResourceLogs }));
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
        <Inside key={id} resource={resource} hasPods={hasPods(resource, resources)} onClose={close} />
      )}
    </Panel>
  );
}

interface InsideProps {
  readonly resource: ShownResource;
  readonly hasPods: boolean;
  readonly onClose: () => void;
}

function Inside({ resource, hasPods: hasLogs, onClose }: InsideProps): ReactElement {
  const [search, change] = useSearchValues();
  const views = viewsOf(resource, hasLogs);
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

/** Whether it is a pod, or pods live because of it. */
function hasPods({ id, kind }: ShownResource, resources: readonly ShownResource[]): boolean {
  if (kind === 'Pod') return true;
  const owners = new Set([id]);
  // Whoever owns comes before what it owns in few trees, so the owners are gathered until none is new.
  for (let size = 0; size !== owners.size;) {
    size = owners.size;
    for (const resource of resources) if (resource.parents.some((parent) => owners.has(parent))) owners.add(resource.id);
  }
  return resources.some((resource) => resource.kind === 'Pod' && owners.has(resource.id));
}

function viewsOf(resource: ShownResource, hasLogs: boolean): readonly TabDescription[] {
  const isCompared = resource.sync !== undefined;
  return [
    { id: 'summary', title: 'Summary', content: <ResourceSummary resource={resource} /> },
    ...(isCompared ? [{ id: 'diff', title: 'Difference', content: later(<ResourceComparison resource={resource} />) }] : []),
    { id: 'live', title: 'Live manifest', content: later(<LiveManifest resource={resource} />) },
    ...(isCompared ? [{ id: 'desired', title: 'Desired manifest', content: later(<DesiredManifest resource={resource} />) }] : []),
    ...(hasLogs ? [{ id: 'logs', title: 'Logs', content: later(<ResourceLogs resource={resource} />) }] : []),
    { id: 'events', title: 'Events', content: <ResourceEvents resource={resource} /> },
  ];
}

function later(content: ReactElement): ReactElement {
  return <Suspense fallback={<Loading />}>{content}</Suspense>;
}
