import type { ReactElement } from 'react';
import type { ApplicationSetCondition } from '../../../contract/gen/types.ts';
import { PageTitle } from '../../app/index.ts';
import { Badge, Copy, Notice, TimeAgo, UserText, visibleText, formatCount } from '../../design/index.ts';
import { describeGenerators } from '../application-sets/describe-generators.ts';
import { countApplications, projectOf } from '../application-sets/set-state.ts';
import { SetActions } from './actions/set-actions.tsx';
import { ConfirmDeletion } from './actions/confirm-deletion.tsx';
import { explainCondition } from './explain-condition.ts';
import { useShownSet } from './use-application-set.ts';

/** What the set is, how it is doing and why, and what can be done. */
export function SetHeader(): ReactElement {
  const set = useShownSet();
  const { metadata, spec, status } = set;
  const { total } = countApplications(set);
  const conditions = status?.conditions ?? [];
  const failure = conditions.find(({ type, status: is }) => type === 'ErrorOccurred' && is === 'True');
  return (
    <>
      <header className="page-head">
        <PageTitle to="/applicationsets" of="ApplicationSets">
          <UserText>{metadata.name}</UserText>
          <Copy text={metadata.name ?? ''} label="Copy the name" />
        </PageTitle>
        <SetActions />
      </header>
      <p className="soft application-set-line">
        {formatCount(total, 'application')} in project <UserText>{projectOf(set)}</UserText>, from{' '}
        <UserText>{describeGenerators(spec.generators)}</UserText>
      </p>
      {failure !== undefined && <Failure condition={failure} />}
      {conditions.length === 0 ? (
        <div className="application-set-notes">
          <Notice>
            Nobody has looked at it yet. The controller does so within moments, unless it does not run or may not use this namespace.
          </Notice>
        </div>
      ) : (
        <ul className="application-set-conditions" aria-label="Conditions">
          {conditions.map((condition) => (
            <Condition key={condition.type} condition={condition} isTold={condition.message === failure?.message} />
          ))}
        </ul>
      )}
    </>
  );
}

/** At full length: a card has room for two lines, and this is what somebody came for. */
function Failure({ condition }: { readonly condition: ApplicationSetCondition }): ReactElement {
  return (
    <div className="application-set-notes">
      <Notice tone="bad">
        <strong>{condition.reason}</strong>{' '}
        <span className="faint">
          <TimeAgo time={condition.lastTransitionTime} />
        </span>
        <p className="application-set-message">
          <UserText>{condition.message}</UserText>
        </p>
        {condition.reason === 'DeletionNeedsConfirmation' && <ConfirmDeletion message={condition.message} />}
      </Notice>
    </div>
  );
}

interface ConditionProps {
  readonly condition: ApplicationSetCondition;
  /** Its message stands above already. */
  readonly isTold: boolean;
}

function Condition({ condition, isTold }: ConditionProps): ReactElement {
  const { title, value, tone } = explainCondition(condition);
  return (
    <li className="card application-set-condition" data-good={tone === 'good' || undefined}>
      <h2 className="faint" title={condition.type}>
        {title}
      </h2>
      <div className="row">
        <Badge tone={tone}>{value}</Badge>
        <span className="grow" />
        <span className="faint">
          <TimeAgo time={condition.lastTransitionTime} />
        </span>
      </div>
      {!isTold && (
        <p className="soft application-set-reason" title={visibleText(condition.message)}>
          <UserText>{condition.message}</UserText>
        </p>
      )}
      <div className="one-line faint application-set-small">{condition.reason}</div>
    </li>
  );
}
