import { useState, type ReactElement } from 'react';
import type { RevisionHistory } from '../../../../contract/gen/types.ts';
import { useCan } from '../../../api/index.ts';
import { Badge, Button, Copy, EmptyState, TimeAgo, UserText } from '../../../design/index.ts';
import { explainOperation, shortRevision } from '../reasons.ts';
import { useShown, useShownObject } from '../use-application.ts';
import { CompareRevisions } from './compare-revisions.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import { revisionsOf } from './revisions-of.ts';
import { useRevision } from './use-revision.ts';
import './history.css';

/** What was deployed before, the newest first. */
export function HistoryTab(): ReactElement {
  const application = useShown();
  const history = (application.status?.history ?? []).toReversed();
  const canSync = useCan('applications', 'sync', useShownObject());
  const isRunning = explainOperation(application)?.isRunning === true;
  const [chosen, setChosen] = useState<RevisionHistory>();
  const [compared, setCompared] = useState<RevisionHistory>();
  if (history.length === 0)
    return (
      <EmptyState icon="clock" title="Nothing was deployed yet">
        Each successful sync is kept here, and can be gone back to.
      </EmptyState>
    );
  return (
    <>
      <ol className="history card">
        {history.map((entry, index) => (
          <HistoryEntry
            key={entry.id}
            entry={entry}
            isCurrent={index === 0}
            actions={
              <>
                <Button look="quiet" onClick={() => setCompared(entry)}>
                  Compare
                </Button>
                {index > 0 && (
                  <Button
                    icon="rollback"
                    permission={canSync}
                    disabledReason={isRunning ? 'An operation is running' : undefined}
                    onClick={() => setChosen(entry)}
                  >
                    Roll back
                  </Button>
                )}
              </>
            }
          />
        ))}
      </ol>
      {chosen !== undefined && <RollbackDialog entry={chosen} onClose={() => setChosen(undefined)} />}
      {compared !== undefined && <CompareRevisions entry={compared} history={history} onClose={() => setCompared(undefined)} />}
    </>
  );
}

interface HistoryEntryProps {
  readonly entry: RevisionHistory;
  readonly isCurrent: boolean;
  readonly actions: ReactElement;
}

function HistoryEntry({ entry, isCurrent, actions }: HistoryEntryProps): ReactElement {
  const { id, deployedAt, deployStartedAt, initiatedBy } = entry;
  const revisions = revisionsOf(entry);
  const { data } = useRevision(revisions[0]);
  return (
    <li className="history-entry">
      <div className="history-what">
        <div className="row">
          <strong className="mono">{revisions.map(shortRevision).join(', ')}</strong>
          <Copy text={revisions.join(',')} label="Copy the revision" />
          {isCurrent && <Badge tone="good">deployed now</Badge>}
          {(data?.tags ?? []).map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </div>
        <p className="one-line">
          <UserText>{data?.message?.split('\n')[0]}</UserText>
        </p>
        <p className="faint one-line">
          <UserText>{data?.author}</UserText>
        </p>
      </div>
      <div className="history-when soft">
        <div>
          deployed <TimeAgo time={deployedAt} />
        </div>
        <div className="faint">
          {initiatedBy?.username ? `by ${initiatedBy.username}` : initiatedBy?.automated === true ? 'automatically' : ''}
          {describeDuration(deployStartedAt, deployedAt)}
          <span className="visually-hidden">, deployment {id}</span>
        </div>
      </div>
      <div className="row">{actions}</div>
    </li>
  );
}

function describeDuration(from: string | null | undefined, to: string | null | undefined): string {
  const seconds = from == null || to == null ? Number.NaN : Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return Number.isNaN(seconds) || seconds < 0 ? '' : `, took ${seconds} s`;
}
