import { useState, type ReactElement } from 'react';
import { useCan } from '../../../api/index.ts';
import { DestinationFields, ProjectField } from '../../../application-form/index.ts';
import { Button } from '../../../design/index.ts';
import { useShown, useShownObject } from '../use-application.ts';
import { SpecDialog } from './spec-dialog.tsx';

/** Where the application belongs and where its resources go. */
export function DestinationCard(): ReactElement {
  const { spec, metadata } = useShown();
  const canUpdate = useCan('applications', 'update', useShownObject());
  const [isEditing, setEditing] = useState(false);
  return (
    <section className="card details-card" aria-label="Destination">
      <header className="row details-head">
        <h2>Destination</h2>
        <span className="grow" />
        <Button permission={canUpdate} onClick={() => setEditing(true)}>
          Edit destination
        </Button>
      </header>
      <dl className="facts">
        <dt>Project</dt>
        <dd>
          <bdi>{spec.project}</bdi>
        </dd>
        <dt>Cluster</dt>
        <dd>
          <bdi>{spec.destination.name || spec.destination.server}</bdi>
        </dd>
        <dt>Namespace</dt>
        <dd>
          {spec.destination.namespace ? <bdi>{spec.destination.namespace}</bdi> : <span className="soft">that of each resource</span>}
        </dd>
      </dl>
      {isEditing && (
        <SpecDialog title="Where it goes" onClose={() => setEditing(false)}>
          {(next, change) => (
            <div className="stack">
              <ProjectField project={next.project} onChange={(project) => change({ ...next, project })} />
              <DestinationFields
                destination={next.destination}
                project={next.project}
                appName={metadata.name ?? ''}
                onChange={(destination) => change({ ...next, destination })}
              />
            </div>
          )}
        </SpecDialog>
      )}
    </section>
  );
}
