import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Application } from '../../../contract/gen/types.ts';
import { api, describeError, useCan } from '../../api/index.ts';
import { Badge, Button, Check, Dialog, Icon, Notice, showToast, Status } from '../../design/index.ts';
import { keyOfRow, policyObject, type ApplicationRow } from './application-row.ts';
import { runTogether } from './run-together.ts';

const CONCURRENCY = 4;
const PREVIEW_MAX = 100;

type Outcome = { readonly dryRun: boolean } & ({ readonly ok: true } | { readonly ok: false; readonly why: string });

export interface SyncDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly applications: readonly ApplicationRow[];
}

/** Syncs several at once: first what would change in each, then what came of it. */
export function SyncDialog({ isOpen, onClose, applications }: SyncDialogProps): ReactElement {
  return (
    <Dialog
      title={`Sync ${applications.length === 1 ? (applications[0]?.metadata.name ?? '') : `${applications.length} applications`}`}
      isOpen={isOpen}
      onClose={onClose}
      isWide
    >
      <SyncForm applications={applications} onClose={onClose} />
    </Dialog>
  );
}

function SyncForm({ applications, onClose }: Omit<SyncDialogProps, 'isOpen'>): ReactElement {
  const [prune, setPrune] = useState(false);
  const [dryRun, setDryRun] = useState(false);
  const { outcomes, state, start, stop, forgetTried } = useRun(applications);
  const isBusy = state !== 'idle';
  const previews = useQueries({
    queries: applications.slice(0, PREVIEW_MAX).map(({ metadata: { name = '', namespace = '' }, spec: { project } }) => ({
      queryKey: ['application', namespace, name, 'preview'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.ApplicationService.Get({ name, appNamespace: namespace, projects: [project] }, { signal }),
      staleTime: 0,
    })),
  });
  const left = applications.length - outcomes.size;
  const isDone = left === 0;
  const isStopped = !isBusy && !isDone && outcomes.size > 0;
  return (
    <div className="stack">
      <div className="row sync-options">
        <Check title="Prune: delete what the source no longer has" isOn={prune} onChange={setPrune} />
        <Check
          title="Dry run: change nothing"
          isOn={dryRun}
          disabled={isBusy}
          onChange={(isOn) => {
            setDryRun(isOn);
            // What was only tried is still to be done.
            if (!isOn) forgetTried();
          }}
        />
      </div>
      <ul className="sync-list">
        {applications.map((row, index) => (
          <SyncLine
            key={keyOfRow(row)}
            row={row}
            preview={previews[index]?.data}
            error={previews[index]?.error}
            prune={prune}
            outcome={outcomes.get(keyOfRow(row))}
          />
        ))}
      </ul>
      {isStopped && <Notice tone="warn">{describeStop(outcomes, applications.length)}</Notice>}
      <div className="row sync-foot">
        {isBusy ? (
          <Button icon="pause" isBusy={state === 'stopping'} onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button onClick={onClose}>{outcomes.size > 0 ? 'Close' : 'Cancel'}</Button>
        )}
        {!isDone && (
          <Button look="primary" icon="sync" isBusy={isBusy} onClick={() => void start((row) => syncOne(row, { prune, dryRun }))}>
            {isStopped ? `${dryRun ? 'Try' : 'Sync'} the other ${left}` : dryRun ? 'Try it' : 'Sync now'}
          </Button>
        )}
      </div>
    </div>
  );
}

interface Run {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly state: 'idle' | 'busy' | 'stopping';
  /** Goes on with those that have no outcome yet. */
  readonly start: (work: (row: ApplicationRow) => Promise<Outcome>) => Promise<void>;
  /** Lets what is under way come to its end, and begins nothing more. */
  readonly stop: () => void;
  /** Those that were only tried have no outcome any more. */
  readonly forgetTried: () => void;
}

/** One after another, a few at a time, until all are done, somebody stops it or the dialog is closed: then a message says how far it came. */
function useRun(applications: readonly ApplicationRow[]): Run {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [state, setState] = useState<Run['state']>('idle');
  const running = useRef<AbortController>(undefined);
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
      running.current?.abort();
    };
  }, []);
  const start: Run['start'] = async (work) => {
    const { signal } = (running.current = new AbortController());
    setState('busy');
    const all = new Map(outcomes);
    const waiting = applications.filter((row) => !all.has(keyOfRow(row)));
    await runTogether(waiting, { concurrency: CONCURRENCY, signal }, async (row) => {
      all.set(keyOfRow(row), await work(row));
      setOutcomes(new Map(all));
    });
    setState('idle');
    if (isClosed.current && all.size < applications.length) showToast('warn', describeStop(all, applications.length));
  };
  const stop = (): void => {
    running.current?.abort();
    setState('stopping');
  };
  const forgetTried = (): void => setOutcomes(new Map([...outcomes].filter(([, { dryRun }]) => !dryRun)));
  return { outcomes, state, start, stop, forgetTried };
}

function describeStop(outcomes: ReadonlyMap<string, Outcome>, total: number): string {
  const started = [...outcomes.values()].filter(({ ok }) => ok).length;
  return `Stopped: ${started} of ${total} were started, the others stay as they are.`;
}

interface SyncLineProps {
  readonly row: ApplicationRow;
  readonly preview: Application | undefined;
  readonly error: unknown;
  readonly prune: boolean;
  readonly outcome: Outcome | undefined;
}

function SyncLine({ row, preview, error, prune, outcome }: SyncLineProps): ReactElement {
  const { allowed, reason } = useCan('applications', 'sync', policyObject(row));
  const differing = (preview?.status?.resources ?? []).filter(({ status }) => status === 'OutOfSync');
  return (
    <li className="sync-line">
      <div className="row">
        <strong className="one-line">{row.metadata.name}</strong>
        <Status kind="sync" value={preview?.status?.sync?.status ?? row.status?.sync?.status} />
        <span className="grow" />
        {outcome !== undefined && <Badge tone={outcome.ok ? 'good' : 'bad'}>{outcome.ok ? 'Started' : 'Refused'}</Badge>}
      </div>
      {outcome?.ok === false && <Notice tone="bad">{outcome.why}</Notice>}
      {!allowed && reason !== undefined && <Notice tone="warn">{reason}</Notice>}
      {error != null && <p className="soft">What would change could not be read: {describeError(error)}</p>}
      {preview !== undefined && differing.length === 0 && (
        <p className="faint">Nothing differs; a sync runs its hooks and changes nothing else.</p>
      )}
      <ul className="sync-resources">
        {differing.slice(0, 8).map(({ group = '', kind = '', namespace = '', name = '', requiresPruning }) => (
          <li key={`${group}/${kind}/${namespace}/${name}`} className="row">
            <Icon name={requiresPruning ? 'trash' : 'arrowUp'} size={13} />
            <span className="one-line">
              {kind} {name}
            </span>
            <span className="faint">{requiresPruning ? (prune ? 'will be deleted' : 'stays: pruning is off') : 'differs'}</span>
          </li>
        ))}
        {differing.length > 8 && <li className="faint">and {differing.length - 8} more</li>}
      </ul>
    </li>
  );
}

async function syncOne(
  { metadata: { name = '', namespace = '' }, spec: { project } }: ApplicationRow,
  options: { readonly prune: boolean; readonly dryRun: boolean },
): Promise<Outcome> {
  try {
    await api.ApplicationService.Sync({ name, appNamespace: namespace, project, ...options, strategy: { hook: {} } });
    return { ok: true, dryRun: options.dryRun };
  } catch (error) {
    return { ok: false, why: describeError(error), dryRun: options.dryRun };
  }
}
