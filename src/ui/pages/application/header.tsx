import type { ReactElement, ReactNode } from 'react';
import { PageTitle } from '../../app/index.ts';
import { Copy, Notice, Status, TimeAgo, UserText, visibleText, type StatusKind } from '../../design/index.ts';
import { ApplicationActions } from './actions/application-actions.tsx';
import { explainHealth, explainOperation, explainSync, isError, listConditions, type Reason } from './reasons.ts';
import { useShown } from './use-application.ts';
import { WindowNotice } from './windows/window-notice.tsx';

/** What the application is, how it is doing and why, and what can be done. */
export function ApplicationHeader(): ReactElement {
  const application = useShown();
  const { metadata, status } = application;
  const operation = explainOperation(application);
  return (
    <>
      <header className="page-head application-head">
        <PageTitle to="/applications" of="Applications">
          <bdi>{metadata.name}</bdi>
          <Copy text={metadata.name ?? ''} label="Copy the name" />
        </PageTitle>
        <ApplicationActions />
      </header>
      <div className="application-states">
        <StateCard title="Sync" kind="sync" value={status?.sync?.status} reason={explainSync(application)} />
        <StateCard title="Health" kind="health" value={status?.health?.status} reason={explainHealth(application)} />
        {operation === undefined ? (
          <StateCard title="Last operation" kind="phase" value="None yet" reason={{ text: 'It has never been synced' }} />
        ) : (
          <StateCard title={operation.isRunning ? 'Operation' : 'Last operation'} kind="phase" value={operation.phase} reason={operation} />
        )}
      </div>
      <WindowNotice />
      <Conditions />
    </>
  );
}

interface StateCardProps {
  readonly title: ReactNode;
  readonly kind: StatusKind;
  readonly value: string | undefined;
  readonly reason: Reason;
}

function StateCard({ title, kind, value, reason }: StateCardProps): ReactElement {
  return (
    <section className="card application-state">
      <h2 className="faint">{title}</h2>
      <div className="row">
        <Status kind={kind} value={value} />
        <span className="grow" />
        <span className="faint">
          <TimeAgo time={reason.since} />
        </span>
      </div>
      <p className="soft application-reason" title={visibleText(reason.text)}>
        <UserText>{reason.text}</UserText>
      </p>
    </section>
  );
}

function Conditions(): ReactElement | null {
  const conditions = listConditions(useShown());
  if (conditions.length === 0) return null;
  return (
    <div className="stack application-conditions">
      {conditions.map((condition) => (
        <Notice key={condition.type} tone={isError(condition) ? 'bad' : 'warn'}>
          <strong>{condition.type}</strong>{' '}
          <span className="faint">
            <TimeAgo time={condition.lastTransitionTime} />
          </span>
          <p className="application-condition">
            <UserText>{condition.message}</UserText>
          </p>
        </Notice>
      ))}
    </div>
  );
}
