import { useState, type ReactElement } from 'react';
import { api, describeError } from '../../api/index.ts';
import { Button, showToast } from '../../design/index.ts';
import type { ApplicationRow } from './application-row.ts';
import { runTogether } from './run-together.ts';
import { SyncDialog } from './sync-dialog.tsx';

const CONCURRENCY = 6;
const REFRESH_TIMEOUT_MS = 60_000;

export interface BulkBarProps {
  readonly selected: readonly ApplicationRow[];
  readonly onClear: () => void;
}

/** What can be done with all that are selected. */
export function BulkBar({ selected, onClear }: BulkBarProps): ReactElement | null {
  const [isSyncing, setSyncing] = useState(false);
  const [isRefreshing, setRefreshing] = useState(false);
  if (selected.length === 0) return null;
  const refresh = async (): Promise<void> => {
    setRefreshing(true);
    await refreshAll(selected);
    setRefreshing(false);
  };
  return (
    <div className="bulk-bar" role="region" aria-label="Selected applications">
      <strong>{selected.length} selected</strong>
      <Button icon="refresh" isBusy={isRefreshing} onClick={() => void refresh()}>
        Refresh
      </Button>
      <Button icon="sync" look="primary" onClick={() => setSyncing(true)}>
        Sync…
      </Button>
      <Button look="quiet" onClick={onClear}>
        Clear the selection
      </Button>
      <SyncDialog isOpen={isSyncing} onClose={() => setSyncing(false)} applications={selected} />
    </div>
  );
}

async function refreshAll(applications: readonly ApplicationRow[]): Promise<void> {
  const failures: string[] = [];
  await runTogether(applications, { concurrency: CONCURRENCY }, async ({ metadata: { name = '', namespace = '' }, spec: { project } }) => {
    try {
      await api.ApplicationService.Get(
        { name, appNamespace: namespace, projects: [project], refresh: 'normal' },
        { timeoutMs: REFRESH_TIMEOUT_MS },
      );
    } catch (error) {
      failures.push(`${name}: ${describeError(error)}`);
    }
  });
  if (failures.length === 0) showToast('good', `Compared ${applications.length} with their sources again.`);
  else showToast('bad', `${failures.length} of ${applications.length} could not be refreshed. ${failures[0]}`);
}
