import { lazy, Suspense, useMemo, useState, type ReactElement } from 'react';
import { api, describeError, useCan } from '../../../api/index.ts';
import { useCommands } from '../../../app/index.ts';
import { Button, Menu, MenuItem, showToast } from '../../../design/index.ts';
import { explainOperation } from '../reasons.ts';
import { useShown, useShownName, useShownObject } from '../use-application.ts';
import { forbidsSync } from '../windows/describe-windows.ts';
import { useSyncWindows } from '../windows/use-sync-windows.ts';

const SyncDialog = lazy(async () => ({ default: (await import('./sync-dialog.tsx')).SyncDialog }));
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));

/** What can be done with the whole application. */
export function ApplicationActions(): ReactElement {
  const isRunning = explainOperation(useShown())?.isRunning === true;
  const object = useShownObject();
  const canGet = useCan('applications', 'get', object);
  const canSync = useCan('applications', 'sync', object);
  const canDelete = useCan('applications', 'delete', object);
  const deeds = useDeeds();
  const windows = useSyncWindows();
  const forbidden = windows && forbidsSync(windows, Date.now());
  const [asked, setAsked] = useState<'sync' | 'delete'>();
  useCommands(
    useMemo(
      () => [
        {
          id: 'application-refresh',
          title: 'Refresh this application',
          group: 'Application',
          icon: 'refresh',
          keys: 'r',
          run: () => deeds.refresh('normal'),
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
      [deeds],
    ),
  );
  return (
    <div className="row application-actions">
      <Menu icon="refresh" button="Refresh" label="Refresh">
        <MenuItem icon="refresh" permission={canGet} onClick={() => deeds.refresh('normal')}>
          Compare with the source again
        </MenuItem>
        <MenuItem icon="rollback" permission={canGet} onClick={() => deeds.refresh('hard')}>
          Render anew, past every cache
        </MenuItem>
      </Menu>
      {isRunning && (
        <Button icon="pause" permission={canSync} onClick={deeds.terminate}>
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
        {asked === 'delete' && <DeleteDialog onClose={() => setAsked(undefined)} />}
      </Suspense>
    </div>
  );
}

interface Deeds {
  readonly refresh: (kind: 'normal' | 'hard') => void;
  readonly terminate: () => void;
}

function useDeeds(): Deeds {
  const { name, appNamespace, project } = useShownName();
  return useMemo(() => {
    const { ApplicationService } = api;
    return {
      refresh: (kind) => run(`Refreshing ${name}`, () => ApplicationService.Get({ name, appNamespace, refresh: kind })),
      terminate: () =>
        run(`Terminating the operation of ${name}`, () => ApplicationService.TerminateOperation({ name, appNamespace, project })),
    };
  }, [name, appNamespace, project]);
}

function run(what: string, deed: () => Promise<unknown>): void {
  showToast('busy', what);
  deed().catch((error: unknown) => showToast('bad', describeError(error)));
}
