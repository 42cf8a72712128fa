import { useState, type ReactElement } from 'react';
import { useCan } from '../../../api/index.ts';
import { PolicyFields, setPart } from '../../../application-form/index.ts';
import { Button, formatCount } from '../../../design/index.ts';
import { useShown, useShownObject } from '../use-application.ts';
import { SpecDialog } from './spec-dialog.tsx';

/** When and how the application is synced. */
export function PolicyCard(): ReactElement {
  const { spec } = useShown();
  const canUpdate = useCan('applications', 'update', useShownObject());
  const [isEditing, setEditing] = useState(false);
  const { automated, syncOptions = [], retry } = spec.syncPolicy ?? {};
  const isAutomated = automated !== undefined && automated.enabled !== false;
  const ignored = spec.ignoreDifferences?.length ?? 0;
  return (
    <section className="card details-card" aria-label="Sync policy">
      <header className="row details-head">
        <h2>Sync policy</h2>
        <span className="grow" />
        <Button permission={canUpdate} onClick={() => setEditing(true)}>
          Edit sync policy
        </Button>
      </header>
      <dl className="facts">
        <dt>Automation</dt>
        <dd>
          {isAutomated
            ? `on${automated.prune === true ? ', prunes' : ''}${automated.selfHeal === true ? ', heals drift' : ''}${automated.allowEmpty === true ? ', may delete everything' : ''}`
            : 'off: somebody has to sync'}
        </dd>
        <dt>Options</dt>
        <dd>{syncOptions.length === 0 ? <span className="soft">none</span> : <bdi>{syncOptions.join(', ')}</bdi>}</dd>
        <dt>Retries</dt>
        <dd>{describeRetries(retry?.limit)}</dd>
        <dt>Ignored differences</dt>
        <dd>{ignored === 0 ? <span className="soft">none</span> : formatCount(ignored, 'rule')}</dd>
      </dl>
      {isEditing && (
        <SpecDialog title="When it is synced" onClose={() => setEditing(false)}>
          {(next, change) => (
            <PolicyFields policy={next.syncPolicy ?? {}} onChange={(policy) => change(setPart(next, 'syncPolicy', policy))} />
          )}
        </SpecDialog>
      )}
    </section>
  );
}

function describeRetries(limit = 0): string {
  if (limit === 0) return 'none';
  return limit < 0 ? 'without limit' : String(limit);
}
