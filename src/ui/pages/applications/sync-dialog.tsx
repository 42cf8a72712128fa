import { useQueries } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { Application } from '../../../contract/gen/types.ts';
import { api, describeError, useCan } from '../../api/index.ts';
import { Badge, Button, Check, Dialog, Icon, Notice, Status } from '../../design/index.ts';
import { keyOfRow, policyObject, type ApplicationRow } from './application-row.ts';
import { runTogether } from './run-together.ts';

const CONCURRENCY = 4;
const PREVIEW_MAX = 100;

type Outcome = { readonly ok: true } | { readonly ok: false; readonly why: string };

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
  const [isBusy, setBusy] = useState(false);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const previews = useQueries({
    queries: applications.slice(0, PREVIEW_MAX).map(({ metadata: { name = '', namespace = '' }, spec: { project } }) => ({
      queryKey: ['application', namespace, name, 'preview'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.ApplicationService.Get({ name, appNamespace: namespace, projects: [project] }, { signal }),
      staleTime: 0,
    })),
  });
  const isDone = outcomes.size === applications.length;
  const sync = async (): Promise<void> => {
    setBusy(true);
    await runTogether(applications, CONCURRENCY, async (row) => {
      const outcome = await syncOne(row, { prune, dryRun });
      setOutcomes((before) => new Map(before).set(keyOfRow(row), outcome));
    });
    setBusy(false);
  };
  return (
    <div className="stack">
      <div className="row sync-options">
        <Check title="Prune: delete what the source no longer has" isOn={prune} onChange={setPrune} />
        <Check title="Dry run: change nothing" isOn={dryRun} onChange={setDryRun} />
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
      <div className="row sync-foot">
        <Button onClick={onClose}>{isDone ? 'Close' : 'Cancel'}</Button>
        {!isDone && (
          <Button look="primary" icon="sync" isBusy={isBusy} onClick={() => void sync()}>
            {dryRun ? 'Try it' : 'Sync now'}
          </Button>
        )}
      </div>
    </div>
  );
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
    return { ok: true };
  } catch (error) {
    return { ok: false, why: describeError(error) };
  }
}
