import type { ReactElement } from 'react';
import type { ApplicationSet } from '../../../../contract/gen/types.ts';
import { api } from '../../../api/index.ts';
import { useGo } from '../../../app/index.ts';
import { FormDialog, Notice, useConfirmName, useDeed, formatCount } from '../../../design/index.ts';
import { countApplications } from '../../application-sets/set-state.ts';
import { useShownSet } from '../use-application-set.ts';
import { whatGoes } from './what-goes.ts';

const NAMED_MAX = 8;

/** Deletes the set, after a look at what will go. */
export function DeleteDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const set = useShownSet();
  const { name = '', namespace = '' } = set.metadata;
  const go = useGo();
  const confirmation = useConfirmName(name, 'ApplicationSet');
  const deed = useDeed(() => {
    onClose();
    go('/applicationsets');
  });
  return (
    <FormDialog
      title={`Delete ${name}?`}
      {...{ onClose, deed }}
      action="Delete"
      look="danger"
      icon="trash"
      disabledReason={confirmation.disabledReason}
      onSubmit={() => deed.run(`${name} is being deleted`, () => api.ApplicationSetService.Delete({ name, appsetNamespace: namespace }))}
    >
      <Consequences set={set} />
      {confirmation.field}
    </FormDialog>
  );
}

function Consequences({ set }: { readonly set: ApplicationSet }): ReactElement {
  const { total } = countApplications(set);
  const goes = whatGoes(set);
  const names = (set.status?.resources ?? []).slice(0, NAMED_MAX).map(({ name = '' }) => name);
  if (total === 0) return <Notice>It has no applications.</Notice>;
  const count = formatCount(total, 'application');
  if (!goes.applications)
    return <Notice tone="warn">The {count} stay, belong to nobody from then on, and go on being synced as they are.</Notice>;
  return (
    <Notice tone="warn">
      <p>
        {count} will go,{' '}
        {goes.resources ? 'and everything that they deployed.' : 'but what they deployed stays, and nobody looks after it.'}
      </p>
      <ul className="application-set-names">
        {names.map((each) => (
          <li key={each}>
            <bdi>{each}</bdi>
          </li>
        ))}
      </ul>
      {total > names.length && <p>and {(total - names.length).toLocaleString()} more</p>}
    </Notice>
  );
}
