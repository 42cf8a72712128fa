import type { ReactElement } from 'react';
import type { ApplicationSet } from '../../../contract/gen/types.ts';
import { AppLink } from '../../app/index.ts';
import { Badge, Status, statusLook, TimeAgo, UserText, visibleText, type Column } from '../../design/index.ts';
import { describeGenerators } from './describe-generators.ts';
import { applicationSetPath, countApplications, projectOf, stateOf } from './set-state.ts';

export const COLUMNS: readonly Column<ApplicationSet>[] = [
  { key: 'name', title: 'Name', width: 'minmax(180px, 1.6fr)', sort: 'name', render: (set) => <NameCell set={set} /> },
  {
    key: 'health',
    title: 'State',
    width: '128px',
    sort: 'health',
    render: (set) => <Status kind="health" value={stateOf(set).health} />,
  },
  {
    key: 'applications',
    title: 'Applications',
    width: 'minmax(196px, 1.2fr)',
    sort: 'applications',
    render: (set) => <ApplicationsCell set={set} />,
  },
  {
    key: 'generators',
    title: 'Generated from',
    width: 'minmax(170px, 1.6fr)',
    render: (set) => {
      const words = describeGenerators(set.spec.generators);
      return (
        <div className="one-line soft" title={visibleText(words)}>
          <UserText>{words}</UserText>
        </div>
      );
    },
  },
  { key: 'why', title: 'Why', width: 'minmax(180px, 2.2fr)', render: (set) => <WhyCell set={set} /> },
  {
    key: 'since',
    title: 'Since',
    width: '112px',
    sort: 'since',
    render: (set) => (
      <span className="soft one-line">
        <TimeAgo time={stateOf(set).since} />
      </span>
    ),
  },
];

function NameCell({ set }: { readonly set: ApplicationSet }): ReactElement {
  const { metadata, spec } = set;
  return (
    <div>
      <div className="row application-sets-name">
        <AppLink to={applicationSetPath(metadata)} className="application-sets-link one-line" title={metadata.name ?? ''}>
          {metadata.name}
        </AppLink>
        {metadata.deletionTimestamp != null && <Badge tone="warn">Deleting</Badge>}
      </div>
      <div className="one-line faint application-sets-small">
        <UserText>{projectOf(set)}</UserText>
        {spec.strategy?.type === 'RollingSync' && ' · step by step'}
      </div>
    </div>
  );
}

function WhyCell({ set }: { readonly set: ApplicationSet }): ReactElement {
  const { reason, message } = stateOf(set);
  return (
    <div title={visibleText(message)}>
      <div className="one-line soft">
        <UserText>{message}</UserText>
      </div>
      <div className="one-line faint application-sets-small">
        <UserText>{reason}</UserText>
      </div>
    </div>
  );
}

/** How many, and a bar of how they are. */
function ApplicationsCell({ set }: { readonly set: ApplicationSet }): ReactElement {
  const { total, healthy, outOfSync, byHealth } = countApplications(set);
  const words = total === 0 ? 'None' : `${healthy}/${total} healthy${outOfSync > 0 ? `, ${outOfSync} out of sync` : ''}`;
  return (
    <div>
      <div className="one-line">{words}</div>
      {total > 0 && (
        <svg className="application-sets-bar" viewBox={`0 0 ${total} 1`} preserveAspectRatio="none" aria-hidden="true">
          {placeBars(byHealth).map(({ word, from, count }) => (
            <rect key={word} data-tone={statusLook('health', word).tone} x={from} width={count} height={1} />
          ))}
        </svg>
      )}
    </div>
  );
}

interface Bar {
  readonly word: string;
  readonly from: number;
  readonly count: number;
}

function placeBars(byHealth: readonly (readonly [string, number])[]): readonly Bar[] {
  const bars: Bar[] = [];
  for (const [word, count] of byHealth) {
    const last = bars.at(-1);
    bars.push({ word, from: last === undefined ? 0 : last.from + last.count, count });
  }
  return bars;
}
