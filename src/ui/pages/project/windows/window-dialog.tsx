import { useState, type ReactElement } from 'react';
import type { SyncWindow } from '../../../../contract/gen/types.ts';
import { Check, FormDialog, Notice, SelectField, TextField } from '../../../design/index.ts';
import { withField } from '../project-form.ts';
import { NO_DEED, usePropose } from '../review.tsx';
import { Lines } from '../rules/rows.tsx';
import { useShown } from '../use-project.ts';
import { formatSpan } from './format-moment.ts';
import { readSchedule } from './read-schedule.ts';
import { findFault, isKnownZone, openingsBetween, readDurationMs } from './window-times.ts';

const KINDS = [
  { id: 'allow', title: 'Allow: applications are synced only while such a window is open' },
  { id: 'deny', title: 'Deny: applications are not synced while it is open' },
] as const;
const AHEAD_MS = 35 * 86_400_000;
const DESCRIPTION_MAX = 255;

/** A new window, or another version of one. */
export function WindowDialog({ index, onClose }: { readonly index: number | undefined; readonly onClose: () => void }): ReactElement {
  const shown = useShown();
  const [base] = useState(shown);
  const propose = usePropose();
  const windows = base.spec.syncWindows ?? [];
  const [draft, setDraft] = useState<SyncWindow>(
    () => windows[index ?? -1] ?? { kind: 'deny', schedule: '', duration: '1h', applications: ['*'] },
  );
  const set = (change: SyncWindow): void => setDraft({ ...draft, ...change });
  const faults = findFaults(draft);
  const review = (): void => {
    const next = tidy(draft);
    const all = index === undefined ? [...windows, next] : windows.map((each, at) => (at === index ? next : each));
    onClose();
    propose({ title: index === undefined ? 'New sync window' : 'Change the sync window', base, next: withField(base, 'syncWindows', all) });
  };
  return (
    <FormDialog
      title={index === undefined ? 'New sync window' : 'Sync window'}
      {...{ onClose }}
      deed={NO_DEED}
      isWide
      action="Review"
      disabledReason={draft.schedule === '' ? 'Say when it opens first' : Object.values(faults).find((fault) => fault !== undefined)}
      onSubmit={review}
    >
      <SelectField title="Kind" options={KINDS} value={draft.kind === 'allow' ? 'allow' : 'deny'} onChange={(kind) => set({ kind })} />
      <TextField
        title="Description"
        value={draft.description ?? ''}
        error={faults.description}
        onChange={(description) => set({ description })}
      />
      <div className="windows-when">
        <TextField
          title="Opens"
          value={draft.schedule ?? ''}
          isRequired
          placeholder="0 22 * * 1-5"
          hint="Minute, hour, day of the month, month, weekday (0 is Sunday); or @daily, @weekly …"
          error={draft.schedule === '' ? undefined : faults.schedule}
          onChange={(schedule) => set({ schedule })}
        />
        <TextField
          title="For"
          value={draft.duration ?? ''}
          isRequired
          hint="As 30m, 8h or 1h30m"
          error={faults.duration}
          onChange={(duration) => set({ duration: duration.trim() })}
        />
        <TextField
          title="Time zone"
          value={draft.timeZone ?? ''}
          placeholder="UTC"
          suggestions={ZONES}
          error={faults.timeZone}
          onChange={(timeZone) => set({ timeZone: timeZone.trim() })}
        />
      </div>
      <Preview window={draft} />
      <ScopeForm {...{ draft }} fault={faults.scope} onChange={set} />
      <Check
        title="Allow syncs that somebody asks for"
        detail="Only automation is held back then."
        isOn={draft.manualSync === true}
        onChange={(manualSync) => set({ manualSync })}
      />
      <Check
        title="Let what has begun go on"
        detail="A sync that began in time may end after the window has closed the way."
        isOn={draft.syncOverrun === true}
        onChange={(syncOverrun) => set({ syncOverrun })}
      />
    </FormDialog>
  );
}

interface ScopeFormProps {
  readonly draft: SyncWindow;
  readonly fault: string | undefined;
  readonly onChange: (change: SyncWindow) => void;
}

function ScopeForm({ draft, fault, onChange }: ScopeFormProps): ReactElement {
  return (
    <>
      <div className="windows-scope">
        <Lines
          title="Applications"
          hint="Patterns of names, one on each line"
          values={draft.applications}
          error={fault}
          onChange={(applications) => onChange({ applications })}
        />
        <Lines title="Namespaces" hint="Of destinations" values={draft.namespaces} onChange={(namespaces) => onChange({ namespaces })} />
        <Lines title="Clusters" hint="Servers or names" values={draft.clusters} onChange={(clusters) => onChange({ clusters })} />
      </div>
      <Check
        title="All of these must match"
        detail="Otherwise it is enough that the application, the namespace or the cluster matches."
        isOn={draft.andOperator === true}
        onChange={(andOperator) => onChange({ andOperator })}
      />
    </>
  );
}

/** The next times, in the time of whoever looks. */
function Preview({ window }: { readonly window: SyncWindow }): ReactElement | null {
  const { schedule = '', duration = '' } = window;
  if (findFault(() => readSchedule(schedule)) !== undefined || findFault(() => readDurationMs(duration)) !== undefined) return null;
  const now = Date.now();
  const next = openingsBetween(window, now, now + AHEAD_MS).slice(0, 3);
  if (next.length === 0) return <Notice tone="warn">It does not open within the next five weeks.</Notice>;
  return (
    <Notice icon="clock">
      In your time it is open {next.map(({ startMs, endMs }) => formatSpan(startMs, endMs)).join('; ')}
      {next.length === 3 ? '; and so on.' : '.'}
    </Notice>
  );
}

function findFaults(
  window: SyncWindow,
): Readonly<Record<'schedule' | 'duration' | 'timeZone' | 'description' | 'scope', string | undefined>> {
  const { schedule = '', duration = '', timeZone = '', description = '', applications = [], namespaces = [], clusters = [] } = window;
  return {
    schedule: findFault(() => readSchedule(schedule)),
    duration: findFault(() => readDurationMs(duration)),
    timeZone: isKnownZone(timeZone) ? undefined : 'Nobody knows this zone: write it as Europe/Berlin; empty is UTC',
    description: description.length > DESCRIPTION_MAX ? `At most ${DESCRIPTION_MAX} characters` : undefined,
    scope:
      applications.length + namespaces.length + clusters.length === 0
        ? 'Say which applications, namespaces or clusters it is about'
        : undefined,
  };
}

/** Without fields that say nothing, as somebody would write it by hand. What else the window holds stays. */
function tidy(window: SyncWindow): SyncWindow {
  return Object.fromEntries(
    Object.entries(window).filter(([, value]) => value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)),
  );
}

const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];
