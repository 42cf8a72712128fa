import type { ReactElement } from 'react';
import { useCan } from '../../../api/index.ts';
import { Button, formatCount, useDeed } from '../../../design/index.ts';
import { policyObject } from '../../application-sets/set-state.ts';
import { useShownSet } from '../use-application-set.ts';
import { annotateSet, CONFIRM_ANNOTATION } from './annotate-set.ts';

/** The controller asks before it deletes a large part of a set that nobody edited. Here is where somebody may answer. */
export function ConfirmDeletion({ message }: { readonly message: string }): ReactElement | null {
  const set = useShownSet();
  const { name = '', namespace = '' } = set.metadata;
  const canUpdate = useCan('applicationsets', 'update', policyObject(set));
  const { failure, isBusy, run } = useDeed(() => undefined);
  const count = /delete (\d+) of \d+ applications/.exec(message)?.[1];
  if (count === undefined) return null;
  return (
    <div className="stack">
      <div className="row">
        <Button
          look="danger"
          icon="trash"
          permission={canUpdate}
          isBusy={isBusy}
          onClick={() =>
            run(`${formatCount(Number(count), 'application')} of ${name} may go`, () =>
              annotateSet({ name, namespace }, CONFIRM_ANNOTATION, count),
            )
          }
        >
          Let these {count} go
        </Button>
        <span className="soft">Or mend what the generators look at: nothing is deleted meanwhile.</span>
      </div>
      {failure !== undefined && <p role="alert">{failure}</p>}
    </div>
  );
}
