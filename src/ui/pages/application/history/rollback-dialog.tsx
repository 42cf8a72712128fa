import { useState, type ReactElement } from 'react';
import type { RevisionHistory } from '../../../../contract/gen/types.ts';
import { api } from '../../../api/index.ts';
import { Check, FormDialog, Notice, SelectField, TextField, useDeed } from '../../../design/index.ts';
import { shortRevision } from '../reasons.ts';
import { useShown, useShownName } from '../use-application.ts';
import { revisionsOf } from './revisions-of.ts';

const HOLDS = [
  { id: '', title: 'Until somebody lets go' },
  { id: '3600', title: 'For an hour' },
  { id: '86400', title: 'For a day' },
  { id: '604800', title: 'For a week' },
] as const;

/** Goes back to an earlier deployment, and holds it there where wanted. */
export function RollbackDialog({ entry, onClose }: { readonly entry: RevisionHistory; readonly onClose: () => void }): ReactElement {
  const { spec } = useShown();
  const name = useShownName();
  const isAutomated = spec.syncPolicy?.automated !== undefined && spec.syncPolicy.automated.enabled !== false;
  const [prune, setPrune] = useState(false);
  const [pin, setPin] = useState(isAutomated);
  const [pinReason, setReason] = useState('');
  const [holdSeconds, setHold] = useState<(typeof HOLDS)[number]['id']>('');
  const deed = useDeed(onClose);
  const revision = revisionsOf(entry).map(shortRevision).join(', ');
  const start = (): void => {
    const until = pin && holdSeconds !== '' ? { pinUntil: new Date(Date.now() + Number(holdSeconds) * 1000).toISOString() } : {};
    deed.run(`Rolling back to ${revision}`, () =>
      api.ApplicationService.Rollback({ ...name, id: entry.id, prune, ...(pin && { pin, pinReason, ...until }) }),
    );
  };
  return (
    <FormDialog title={`Roll back to ${revision}?`} {...{ onClose, deed }} action="Roll back" icon="rollback" onSubmit={start}>
      <Check title="Prune: delete what that deployment did not have" isOn={prune} onChange={setPrune} />
      <Check title="Hold it there, whatever the source says" isOn={pin} onChange={setPin} />
      {isAutomated && !pin && <Notice tone="warn">This application syncs by itself: without holding it, the rollback is refused.</Notice>}
      {pin && (
        <div className="row history-hold">
          <div className="grow">
            <TextField title="Why" value={pinReason} placeholder="for those who wonder" onChange={setReason} />
          </div>
          <SelectField title="For how long" value={holdSeconds} options={HOLDS} onChange={setHold} />
        </div>
      )}
    </FormDialog>
  );
}
