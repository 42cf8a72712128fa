import { lazy, Suspense, useMemo, useState, type ReactElement } from 'react';
import { describeError, useCan } from '../../../api/index.ts';
import { useCommands } from '../../../app/index.ts';
import { Button, Menu, MenuItem, showToast } from '../../../design/index.ts';
import { policyObject } from '../../application-sets/set-state.ts';
import { useShownSet } from '../use-application-set.ts';
import { annotateSet, REFRESH_ANNOTATION } from './annotate-set.ts';

const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));

/** What can be done with the whole set. */
export function SetActions(): ReactElement {
  const set = useShownSet();
  const { name = '', namespace = '' } = set.metadata;
  const object = policyObject(set);
  const canUpdate = useCan('applicationsets', 'update', object);
  const canDelete = useCan('applicationsets', 'delete', object);
  const [isDeleting, setDeleting] = useState(false);
  const refresh = useMemo(
    () => (): void => {
      showToast('busy', `Generating ${name} again`);
      annotateSet({ name, namespace }, REFRESH_ANNOTATION, 'true').catch((error: unknown) => showToast('bad', describeError(error)));
    },
    [name, namespace],
  );
  useCommands(
    useMemo(
      () =>
        canUpdate.allowed
          ? [{ id: 'set-refresh', title: 'Generate this set again', group: 'ApplicationSet', icon: 'refresh', keys: 'r', run: refresh }]
          : [],
      [canUpdate.allowed, refresh],
    ),
  );
  return (
    <div className="row">
      <Button icon="refresh" permission={canUpdate} onClick={refresh}>
        Generate again
      </Button>
      <Menu icon="more" label="More" look="quiet">
        <MenuItem icon="trash" look="danger" permission={canDelete} onClick={() => setDeleting(true)}>
          Delete the ApplicationSet
        </MenuItem>
      </Menu>
      <Suspense>{isDeleting && <DeleteDialog onClose={() => setDeleting(false)} />}</Suspense>
    </div>
  );
}
