import { lazy, Suspense, useCallback, useMemo, useState, type ReactElement } from 'react';
import { api, describeError, useCan } from '../../../api/index.ts';
import { useCommands } from '../../../app/index.ts';
import { Button, Menu, MenuItem, showToast } from '../../../design/index.ts';
import { explainOperation } from '../reasons.ts';
import { useShown, useShownName, useShownObject } from '../use-application.ts';
import { forbidsSync } from '../windows/describe-windows.ts';
import { useSyncWindows } from '../windows/use-sync-windows.ts';

const SyncDialog = lazy(async () => ({ default: (await import('./sync-dialog.tsx')).SyncDialog }));
const TerminateDialog = lazy(async () => ({ default: (await import('./terminate-dialog.tsx')).TerminateDialog }));
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));

/** What can be done with the whole application. */
export function ApplicationActions(): ReactElement {
  const isRunning = explainOperation(useShown())?.isRunning === true;
  const object = useShownObject();
  const canGet = useCan('applications', 'get', object);
  const canSync = useCan('applications', 'sync', object);
  const canDelete = useCan('applications', 'delete', object);
  const refresh = useRefresh();
  const windows = useSyncWindows();
  const forbidden = windows && forbidsSync(windows, Date.now());
  const [asked, setAsked] = useState<'sync' | 'terminate' | 'delete'>();
  useCommands(
    useMemo(
      () => [
        {
          id: 'application-refresh',
          title: 'Refresh this application',
          group: 'Application',
          icon: 'refresh',
          keys: 'r',
          run: () => refresh('normal'),
        },
        {
          id: 'application-sync',
          title: 'Sync this application',
          group: 'Application',
          icon: 'sync',
          keys: 's',
          run: () => setAsked('sync'),
        },
      ],
      [refresh],
    ),
  );
  return (
    <div className="row application-actions">
      <Menu icon="refresh" button="Refresh" label="Refresh">
        <MenuItem icon="refresh" permission={canGet} onClick={() => refresh('normal')}>
          Compare with the source again
        </MenuItem>
        <MenuItem icon="rollback" permission={canGet} onClick={() => refresh('hard')}>
          Render anew, past every cache
        </MenuItem>
      </Menu>
      {isRunning && (
        <Button icon="pause" permission={canSync} onClick={() => setAsked('terminate')}>
          Terminate
        </Button>
      )}
      <Button
        look="primary"
        icon="sync"
        permission={canSync}
        disabledReason={isRunning ? 'An operation is running' : forbidden}
        onClick={() => setAsked('sync')}
      >
        Sync
      </Button>
      <Menu icon="more" label="More" look="quiet">
        <MenuItem icon="trash" look="danger" permission={canDelete} onClick={() => setAsked('delete')}>
          Delete the application
        </MenuItem>
      </Menu>
      <Suspense>
        {asked === 'sync' && <SyncDialog onClose={() => setAsked(undefined)} />}
        {asked === 'terminate' && <TerminateDialog onClose={() => setAsked(undefined)} />}
        {asked === 'delete' && <DeleteDialog onClose={() => setAsked(undefined)} />}
      </Suspense>
    </div>
  );
}

function useRefresh(): (kind: 'normal' | 'hard') => void {
  const { name, appNamespace } = useShownName();
  return useCallback(
    (kind) => {
      showToast('busy', `Refreshing ${name}`);
      api.ApplicationService.Get({ name, appNamespace, refresh: kind }).catch((error: unknown) => showToast('bad', describeError(error)));
    },
    [name, appNamespace],
  );
}
