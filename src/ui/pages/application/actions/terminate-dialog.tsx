import type { ReactElement } from 'react';
import { api } from '../../../api/index.ts';
import { FormDialog, Notice, useDeed } from '../../../design/index.ts';
import { useShownName } from '../use-application.ts';

/** Ends the operation that is running, after a word about what that leaves. */
export function TerminateDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const name = useShownName();
  const deed = useDeed(onClose);
  return (
    <FormDialog
      title={`Terminate the operation of ${name.name}?`}
      {...{ onClose, deed }}
      action="Terminate"
      look="danger"
      icon="pause"
      onSubmit={() => deed.run(`Terminating the operation of ${name.name}`, () => api.ApplicationService.TerminateOperation(name))}
    >
      <Notice tone="warn">
        What it has applied stays, and what it has not is left as it was: until the next sync the application may be partly the old one and
        partly the new.
      </Notice>
    </FormDialog>
  );
}
