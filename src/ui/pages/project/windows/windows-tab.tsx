import { useEffect, useState, type ReactElement } from 'react';
import type { SyncWindow } from '../../../../contract/gen/types.ts';
import { Badge, Button, EmptyState, Notice, UserText } from '../../../design/index.ts';
import { withField } from '../project-form.ts';
import { usePropose } from '../review.tsx';
import { useCanUpdate, useShown } from '../use-project.ts';
import { Calendar } from './calendar.tsx';
import { formatMoment, formatUntil } from './format-moment.ts';
import { readSchedule } from './read-schedule.ts';
import { WindowDialog } from './window-dialog.tsx';
import { describeNow, findFault, readDurationMs } from './window-times.ts';
import './windows.css';

const TICK_MS = 20_000;

/** What is open, and how long that stays so, is drawn anew while time passes. */
function useTicks(): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => setTick((tick) => tick + 1), TICK_MS);
    return () => window.clearInterval(timer);
  }, []);
}

/** When the applications of the project may be synced. */
export function WindowsTab(): ReactElement {
  useTicks();
  const { spec } = useShown();
  const canUpdate = useCanUpdate();
  const windows = spec.syncWindows ?? [];
  const [edited, setEdited] = useState<number | 'new'>();
  const add = (
    <Button look="primary" icon="plus" permission={canUpdate} onClick={() => setEdited('new')}>
      New window
    </Button>
  );
  return (
    <div className="stack">
      {windows.length === 0 ? (
        <EmptyState icon="clock" title="No sync windows" action={add}>
          Applications can be synced at any time. A window that denies keeps them still, as in a freeze; with a window that allows, they are
          synced only while one is open.
        </EmptyState>
      ) : (
        <>
          <div className="row">
            <Now windows={windows} />
            {add}
          </div>
          <Calendar windows={windows} onOpen={canUpdate.allowed ? setEdited : undefined} />
          <ul className="windows-list">
            {windows.map((window, index) => (
              // Windows have no names: their place is what tells them apart.
              <li key={index} className="card windows-item">
                <Window window={window} index={index} onEdit={() => setEdited(index)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {edited !== undefined && <WindowDialog index={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </div>
  );
}

/** What holds at this moment, and the next time that anything changes. */
function Now({ windows }: { readonly windows: readonly SyncWindow[] }): ReactElement {
  const now = Date.now();
  const states = windows.map((window) => ({ window, state: describeNow(window, now) }));
  const open = states.filter(({ state }) => state?.isOpen === true);
  const next = states
    .flatMap(({ window, state }) => (state === undefined ? [] : [{ window, ...state }]))
    .toSorted((one, other) => one.changesMs - other.changesMs)[0];
  return (
    <div className="grow">
      <p>{open.length === 0 ? 'No window is open now.' : `Open now: ${open.map(({ window }) => describe(window)).join(', ')}.`}</p>
      {next !== undefined && (
        <p className="soft">
          Next, {describe(next.window)} {next.isOpen ? 'closes' : 'opens'} {formatUntil(next.changesMs, now)},{' '}
          {formatMoment(next.changesMs)}.
        </p>
      )}
    </div>
  );
}

function Window({
  window,
  index,
  onEdit,
}: {
  readonly window: SyncWindow;
  readonly index: number;
  readonly onEdit: () => void;
}): ReactElement {
  const project = useShown();
  const canUpdate = useCanUpdate();
  const propose = usePropose();
  const state = describeNow(window, Date.now());
  const fault = findFault(() => readSchedule(window.schedule ?? '')) ?? findFault(() => readDurationMs(window.duration ?? ''));
  const remove = (): void => {
    const left = (project.spec.syncWindows ?? []).filter((_window, at) => at !== index);
    propose({ title: 'Delete the window', base: project, next: withField(project, 'syncWindows', left) });
  };
  return (
    <>
      <div className="row windows-line">
        <Badge tone={window.kind === 'deny' ? 'bad' : 'good'}>{window.kind ?? ''}</Badge>
        <span>
          <code>{window.schedule}</code> for {window.duration}
          {window.timeZone !== undefined && window.timeZone !== '' && `, ${window.timeZone}`}
        </span>
        {state?.isOpen === true && <Badge tone="busy">open now</Badge>}
        <span className="grow" />
        <Button look="quiet" icon="settings" permission={canUpdate} label={`Edit window ${index + 1}`} onClick={onEdit} />
        <Button look="quiet" icon="trash" permission={canUpdate} label={`Delete window ${index + 1}`} onClick={remove} />
      </div>
      <p className="soft">
        {state !== undefined &&
          `${state.isOpen ? 'Closes' : 'Opens'} ${formatUntil(state.changesMs, Date.now())}, ${formatMoment(state.changesMs)}`}
        {state === undefined && fault === undefined && 'Does not open within a year'}
      </p>
      {window.description !== undefined && window.description !== '' && (
        <p className="user-text">
          <UserText>{window.description}</UserText>
        </p>
      )}
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
      <p className="soft user-text">
        <UserText>{describeScope(window)}</UserText>
      </p>
      {window.manualSync === true && <p className="soft">Syncs that somebody asks for are possible all the same.</p>}
      {window.syncOverrun === true && <p className="soft">What has begun may go on when it closes the way.</p>}
    </>
  );
}

function describe({ kind = '', schedule = '', description }: SyncWindow): string {
  return description ? `“${description}” (${kind})` : `${kind} ${schedule}`;
}

function describeScope({ applications = [], namespaces = [], clusters = [], andOperator = false }: SyncWindow): string {
  const parts = [
    ['applications', applications],
    ['namespaces', namespaces],
    ['clusters', clusters],
  ] as const;
  const named = parts.flatMap(([what, patterns]) =>
    patterns.length === 0 ? [] : [patterns.includes('*') ? `all ${what}` : `${what} ${patterns.join(', ')}`],
  );
  return named.length === 0 ? 'It speaks about nothing.' : `For ${named.join(andOperator ? ' and ' : ' or ')}`;
}
