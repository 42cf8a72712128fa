import type { ReactElement } from 'react';
import type { ApplicationSetApplicationStatus } from '../../../../contract/gen/types.ts';
import { useCan } from '../../../api/index.ts';
import { applicationPath, AppLink } from '../../../app/index.ts';
import { Badge, Button, EmptyState, Icon, Notice, TimeAgo, useDeed, UserText, type IconName, type Tone } from '../../../design/index.ts';
import { policyObject } from '../../application-sets/set-state.ts';
import { annotateSet, ROLLOUT_ANNOTATION } from '../actions/annotate-set.ts';
import { useShownSet } from '../use-application-set.ts';
import { planSteps, type ShownStep } from './plan-steps.ts';
import './rollout.css';

/** How many applications of a step are named. */
const SHOWN_MAX = 100;

const STATES: Readonly<Record<ShownStep['state'], { readonly word: string; readonly tone: Tone; readonly icon: IconName }>> = {
  done: { word: 'Done', tone: 'good', icon: 'check' },
  current: { word: 'Now', tone: 'busy', icon: 'progress' },
  waiting: { word: 'Waits for the steps before', tone: 'mute', icon: 'clock' },
  empty: { word: 'Takes no application', tone: 'mute', icon: 'minus' },
};

const PROGRESS_TONES: ReadonlyMap<string, Tone> = new Map([
  ['Healthy', 'good'],
  ['Progressing', 'busy'],
  ['Pending', 'busy'],
  ['Waiting', 'mute'],
]);

/** The steps in which the set syncs its applications: where it is, and what it waits for. */
export function RolloutTab(): ReactElement {
  const set = useShownSet();
  const rollout = planSteps(set);
  if (rollout === undefined)
    return (
      <EmptyState icon="applicationSets" title="All applications change at once">
        With <code>strategy.type: RollingSync</code> in its specification a set syncs its applications step by step, and waits until those
        of a step are healthy before it goes on.
      </EmptyState>
    );
  const command = set.metadata.annotations?.[ROLLOUT_ANNOTATION];
  const isHeld = command === 'pause' || command === 'abort';
  const hasStates = (set.status?.applicationStatus ?? []).length > 0;
  return (
    <div className="stack">
      <div className="row rollout-head">
        <div className="grow">
          {!hasStates ? (
            <Notice tone="warn">
              No application has been placed in a step. Progressive syncs are off unless{' '}
              <code>applicationsetcontroller.enable.progressive.syncs</code> is <code>true</code> in <code>argocd-cmd-params-cm</code>.
            </Notice>
          ) : isHeld ? (
            <Notice tone="warn" icon="pause">
              <strong>The rollout is {command === 'pause' ? 'paused' : 'aborted'}.</strong> {rollout.waitsFor ?? 'Nothing is left to do'}.
            </Notice>
          ) : rollout.waitsFor === undefined ? (
            <Notice tone="good" icon="check">
              Every step is done.
            </Notice>
          ) : (
            <Notice tone="busy" icon="progress">
              {rollout.waitsFor}.
            </Notice>
          )}
        </div>
        <RolloutButtons isHeld={isHeld} />
      </div>
      <ol className="rollout-steps">
        {rollout.steps.map((step) => (
          <Step key={step.number} step={step} />
        ))}
      </ol>
      {rollout.outside.length > 0 && (
        <section className="card rollout-step">
          <h2>In no step</h2>
          <p className="soft">No step takes them, so the set never syncs them.</p>
          <States applications={rollout.outside} />
        </section>
      )}
    </div>
  );
}

function RolloutButtons({ isHeld }: { readonly isHeld: boolean }): ReactElement {
  const set = useShownSet();
  const { name = '', namespace = '' } = set.metadata;
  const canUpdate = useCan('applicationsets', 'update', policyObject(set));
  const { failure, isBusy, run } = useDeed(() => undefined);
  const say = (command: 'pause' | 'resume' | 'abort', done: string): void =>
    run(done, () => annotateSet({ name, namespace }, ROLLOUT_ANNOTATION, command));
  return (
    <div className="row">
      {failure !== undefined && <span role="alert">{failure}</span>}
      {isHeld ? (
        <Button icon="play" permission={canUpdate} isBusy={isBusy} onClick={() => say('resume', 'The rollout goes on')}>
          Resume
        </Button>
      ) : (
        <>
          <Button icon="pause" permission={canUpdate} isBusy={isBusy} onClick={() => say('pause', 'The rollout is paused')}>
            Pause
          </Button>
          <Button
            icon="close"
            look="danger"
            permission={canUpdate}
            isBusy={isBusy}
            onClick={() => say('abort', 'The rollout is aborted, and what it was syncing is ended')}
          >
            Abort
          </Button>
        </>
      )}
    </div>
  );
}

function Step({ step }: { readonly step: ShownStep }): ReactElement {
  const { word, tone, icon } = STATES[step.state];
  const healthy = step.applications.filter(({ status }) => status === 'Healthy').length;
  return (
    <li className="card rollout-step" data-tone={tone} aria-current={step.state === 'current' ? 'step' : undefined}>
      <div className="row rollout-title">
        <h2>Step {step.number}</h2>
        <Badge tone={tone}>
          <Icon name={icon} size={12} isSpinning={icon === 'progress'} />
          {word}
        </Badge>
        <span className="soft grow">
          <UserText>{step.takes}</UserText>, {step.pace}
        </span>
        <span className="faint">
          {healthy} of {step.applications.length} done
        </span>
      </div>
      <States applications={step.applications} />
    </li>
  );
}

function States({ applications }: { readonly applications: readonly ApplicationSetApplicationStatus[] }): ReactElement | null {
  const { metadata } = useShownSet();
  if (applications.length === 0) return null;
  return (
    <ul className="rollout-states">
      {applications.slice(0, SHOWN_MAX).map(({ application, status, message, lastTransitionTime }) => (
        <li key={application} className="rollout-state">
          <AppLink
            to={applicationPath({ name: application, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) })}
            className="rollout-link one-line"
            title={application}
          >
            {application}
          </AppLink>
          <Badge tone={PROGRESS_TONES.get(status) ?? 'mute'}>{status}</Badge>
          <span className="soft rollout-message">
            <UserText>{message}</UserText>
          </span>
          <span className="faint">
            <TimeAgo time={lastTransitionTime} />
          </span>
        </li>
      ))}
      {applications.length > SHOWN_MAX && <li className="faint">and {applications.length - SHOWN_MAX} more</li>}
    </ul>
  );
}
