import { useState, type ReactElement } from 'react';
import { useCan } from '../../../api/index.ts';
import { Button, FormDialog, formatCount, Notice, useConfirmName, useDeed } from '../../../design/index.ts';
import { policyObject } from '../../application-sets/set-state.ts';
import { useShownSet } from '../use-application-set.ts';
import { annotateSet, CONFIRM_ANNOTATION } from './annotate-set.ts';
import { whatGoes } from './what-goes.ts';

/** The controller asks before it deletes a large part of a set that nobody edited. Here is where somebody may answer. */
export function ConfirmDeletion({ message }: { readonly message: string }): ReactElement | null {
  const canUpdate = useCan('applicationsets', 'update', policyObject(useShownSet()));
  const [isAsked, setAsked] = useState(false);
  const count = /delete (\d+) of \d+ applications/.exec(message)?.[1];
  if (count === undefined) return null;
  return (
    <div className="row">
      <Button look="danger" icon="trash" permission={canUpdate} onClick={() => setAsked(true)}>
        Let these {count} go
      </Button>
      <span className="soft">Or mend what the generators look at: nothing is deleted meanwhile.</span>
      {isAsked && <ConfirmDialog count={count} onClose={() => setAsked(false)} />}
    </div>
  );
}

function ConfirmDialog({ count, onClose }: { readonly count: string; readonly onClose: () => void }): ReactElement {
  const set = useShownSet();
  const { name = '', namespace = '' } = set.metadata;
  const confirmation = useConfirmName(name, 'ApplicationSet');
  const deed = useDeed(onClose);
  const applications = formatCount(Number(count), 'application');
  return (
    <FormDialog
      title={`Let ${applications} of ${name} go?`}
      {...{ onClose, deed }}
      action="Let them go"
      look="danger"
      icon="trash"
      disabledReason={confirmation.disabledReason}
      onSubmit={() => deed.run(`${applications} of ${name} may go`, () => annotateSet({ name, namespace }, CONFIRM_ANNOTATION, count))}
    >
      <Notice tone="warn">
        {applications} will be deleted,{' '}
        {whatGoes(set).resources ? 'and everything that they deployed.' : 'but what they deployed stays, and nobody looks after it.'}
      </Notice>
      {confirmation.field}
    </FormDialog>
  );
}
