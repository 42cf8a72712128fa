import type { ReactElement } from 'react';
import type { Application, ResourceResult } from '../../../../contract/gen/types.ts';
import { Badge, EmptyState, Notice, Status, TimeAgo, UserText, type Tone } from '../../../design/index.ts';
import { explainOperation, shortRevision } from '../reasons.ts';
import { useShown } from '../use-application.ts';
import { groupResults, stateOf, waitsFor, type ResultGroup } from './group-results.ts';
import './operation.css';

/** The running operation, or the last one: what it did, and what it waits for. */
export function OperationTab(): ReactElement {
  const application = useShown();
  const operation = explainOperation(application);
  const state = application.status?.operationState;
  if (operation === undefined || state === undefined)
    return (
      <EmptyState icon="sync" title={operation === undefined ? 'No operation yet' : 'It is about to begin'}>
        Syncs and rollbacks are shown here, step by step.
      </EmptyState>
    );
  const waiting = operation.isRunning ? waitsFor(application) : [];
  return (
    <div className="stack operation">
      <dl className="facts card operation-facts">
        <dt>Phase</dt>
        <dd>
          <Status kind="phase" value={state.phase} />
        </dd>
        <dt>Message</dt>
        <dd>
          <UserText>{state.message}</UserText>
        </dd>
        <dt>Revision</dt>
        <dd className="mono">{revisionsOf(application)}</dd>
        <dt>Started</dt>
        <dd>
          <TimeAgo time={state.startedAt} /> {describeInitiator(application)}
        </dd>
        {state.finishedAt != null && (
          <>
            <dt>Finished</dt>
            <dd>
              <TimeAgo time={state.finishedAt} />
            </dd>
          </>
        )}
        {(state.retryCount ?? 0) > 0 && (
          <>
            <dt>Retries</dt>
            <dd>{state.retryCount}</dd>
          </>
        )}
      </dl>
      {waiting.length > 0 && (
        <Notice tone="busy" icon="clock">
          It waits for {waiting.join(', ')}.
        </Notice>
      )}
      {groupResults(application).map((group) => (
        <Group key={group.title} group={group} isOver={!operation.isRunning} />
      ))}
    </div>
  );
}

function Group({ group: { title, results }, isOver }: { readonly group: ResultGroup; readonly isOver: boolean }): ReactElement {
  return (
    <section className="card operation-group">
      <h2>
        {title} <span className="faint">{results.length}</span>
      </h2>
      <ul>
        {results.map((result) => (
          <li
            key={`${result.group}/${result.kind}/${result.namespace}/${result.name}/${result.hookType ?? ''}`}
            className="operation-result"
          >
            <div className="row">
              <span className="soft">{result.kind}</span>
              <strong className="one-line">{result.name}</strong>
              {result.hookType !== undefined && result.hookType !== '' && <Badge>{result.hookType} hook</Badge>}
              <span className="grow" />
              <Badge tone={toneOf(result, isOver)}>{stateOf(result, isOver)}</Badge>
            </div>
            {result.message !== undefined && (
              <p className="soft operation-message">
                <UserText>{result.message}</UserText>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function toneOf(result: ResourceResult, isOver: boolean): Tone {
  const { status, hookPhase } = result;
  if (status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error') return 'bad';
  if (stateOf(result, isOver) === 'Running') return 'busy';
  return status === 'PruneSkipped' ? 'warn' : 'good';
}

function revisionsOf({ status }: Application): string {
  const result = status?.operationState?.syncResult;
  return (result?.revisions ?? [result?.revision ?? '']).map(shortRevision).join(', ');
}

function describeInitiator({ status }: Application): string {
  const by = status?.operationState?.operation.initiatedBy;
  if (by?.username) return `by ${by.username}`;
  return by?.automated === true ? 'automatically' : '';
}
