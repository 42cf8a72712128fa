import { useMemo, useState, type ReactElement } from 'react';
import {
  Badge,
  CodeView,
  Dialog,
  DiffView,
  EmptyState,
  nameChanges,
  UserText,
  visibleText,
  VirtualTable,
  type Column,
  type Tone,
} from '../../../design/index.ts';
import type { ChangeKind, PreviewedChange } from './preview-set.ts';
import { yamlOf } from './set-yaml.ts';
import './editor.css';

const KINDS: Readonly<Record<ChangeKind, { readonly word: string; readonly tone: Tone; readonly does: string }>> = {
  create: { word: 'Created', tone: 'good', does: 'would be created' },
  update: { word: 'Changed', tone: 'busy', does: 'would be changed' },
  delete: { word: 'Deleted', tone: 'bad', does: 'would be deleted' },
  refuse: { word: 'Refused', tone: 'warn', does: 'could not be made as wanted' },
  keep: { word: 'Unchanged', tone: 'mute', does: 'stays as it is' },
};
const ORDER: readonly ChangeKind[] = ['delete', 'update', 'create', 'refuse', 'keep'];

/** What would be created, changed and deleted; each can be opened to see how. */
export function PreviewResult({ changes }: { readonly changes: readonly PreviewedChange[] }): ReactElement {
  const counts = useMemo(() => Map.groupBy(changes, ({ kind }) => kind), [changes]);
  const [chosen, setChosen] = useState<ChangeKind>();
  const [opened, setOpened] = useState<PreviewedChange>();
  const isQuiet = changes.length > 0 && counts.get('keep')?.length === changes.length;
  const shown = ORDER.filter((kind) => (chosen === undefined ? kind !== 'keep' || isQuiet : kind === chosen)).flatMap(
    (kind) => counts.get(kind) ?? [],
  );
  if (changes.length === 0)
    return (
      <EmptyState icon="applicationSets" title="The generators yield nothing">
        No application would be created, and there is none to delete. Check names and patterns of the generators, and whether what they look
        for is there.
      </EmptyState>
    );
  return (
    <div className="preview">
      <div className="row preview-counts" role="group" aria-label="What would happen">
        {ORDER.filter((kind) => counts.has(kind)).map((kind) => (
          <button
            key={kind}
            type="button"
            className="preview-count"
            data-tone={KINDS[kind].tone}
            aria-pressed={chosen === kind}
            onClick={() => setChosen(chosen === kind ? undefined : kind)}
          >
            {KINDS[kind].word} <strong>{counts.get(kind)?.length}</strong>
          </button>
        ))}
        {isQuiet && <span className="soft">Nothing would change.</span>}
      </div>
      <div className="card preview-table">
        <VirtualTable
          label="What would become of each application"
          columns={COLUMNS}
          count={shown.length}
          rowAt={(index) => shown[index]}
          keyOf={({ kind, name }) => `${kind} ${name}`}
          minWidth={430}
          onOpen={setOpened}
        />
      </div>
      {opened !== undefined && <OneChange change={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

const COLUMNS: readonly Column<PreviewedChange>[] = [
  { key: 'kind', title: 'Would be', width: '112px', render: ({ kind }) => <Badge tone={KINDS[kind].tone}>{KINDS[kind].word}</Badge> },
  {
    key: 'name',
    title: 'Application',
    width: 'minmax(130px, 1fr)',
    render: ({ name }) => (
      <strong className="one-line">
        <UserText>{name}</UserText>
      </strong>
    ),
  },
  {
    key: 'what',
    title: 'What',
    width: 'minmax(160px, 1.4fr)',
    render: (change) => (
      <span className="soft one-line" title={visibleText(describe(change))}>
        <UserText>{describe(change)}</UserText>
      </span>
    ),
  },
];

function describe({ kind, message, before, after }: PreviewedChange): string {
  if (message !== undefined) return message;
  if (kind === 'create') return describePlace(after);
  if (kind === 'delete') return 'nothing generates it any more';
  return kind === 'update' ? nameChanges(before, after) : '';
}

/** Where a new application goes. */
function describePlace(application: unknown): string {
  const { spec } = application as { readonly spec?: { readonly destination?: Readonly<Record<string, string>> } };
  const { name, server, namespace } = spec?.destination ?? {};
  const cluster = name ?? (server === 'https://kubernetes.default.svc' ? 'in-cluster' : server);
  return `to ${[cluster, namespace].filter(Boolean).join(' / ')}`;
}

function OneChange({ change, onClose }: { readonly change: PreviewedChange; readonly onClose: () => void }): ReactElement {
  const { name, kind, message, before, after } = change;
  const label = `${name} ${KINDS[kind].does}`;
  return (
    <Dialog title={label} isOpen isWide onClose={onClose}>
      <div className="stack">
        {message !== undefined && (
          <p className="preview-message">
            <UserText>{message}</UserText>
          </p>
        )}
        {kind === 'update' && before !== undefined ? (
          <DiffView before={yamlOf(before)} after={yamlOf(after)} label={label} layout="unified" />
        ) : (
          (after ?? before) !== undefined && <CodeView text={yamlOf(after ?? before)} label={label} />
        )}
      </div>
    </Dialog>
  );
}
