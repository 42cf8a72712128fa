import { useState, type ReactElement } from 'react';
import type { RevisionHistory } from '../../../../contract/gen/types.ts';
import { api } from '../../../api/index.ts';
import { Button, Dialog, Notice } from '../../../design/index.ts';
import { shortRevision } from '../reasons.ts';
import { useShown, useShownName } from '../use-application.ts';
import { useDeed } from '../use-deed.ts';
import { revisionsOf } from './revisions-of.ts';

const HOLDS = [
  { value: '', title: 'Until somebody lets go' },
  { value: '3600', title: 'For an hour' },
  { value: '86400', title: 'For a day' },
  { value: '604800', title: 'For a week' },
] as const;

/** Goes back to an earlier deployment, and holds it there where wanted. */
export function RollbackDialog({ entry, onClose }: { readonly entry: RevisionHistory; readonly onClose: () => void }): ReactElement {
  const { spec } = useShown();
  const name = useShownName();
  const isAutomated = spec.syncPolicy?.automated !== undefined && spec.syncPolicy.automated.enabled !== false;
  const [prune, setPrune] = useState(false);
  const [pin, setPin] = useState(isAutomated);
  const [pinReason, setReason] = useState('');
  const [holdSeconds, setHold] = useState('');
  const { failure, isBusy, run } = useDeed(onClose);
  const revision = revisionsOf(entry).map(shortRevision).join(', ');
  const start = (): void => {
    const until = pin && holdSeconds !== '' ? { pinUntil: new Date(Date.now() + Number(holdSeconds) * 1000).toISOString() } : {};
    run(`Rolling back to ${revision}`, () =>
      api.ApplicationService.Rollback({ ...name, id: entry.id, prune, ...(pin && { pin, pinReason, ...until }) }),
    );
  };
  return (
    <Dialog
      title={`Roll back to ${revision}?`}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" icon="rollback" isBusy={isBusy} onClick={start}>
            Roll back
          </Button>
        </>
      }
    >
      <div className="stack">
        <label className="row">
          <input type="checkbox" className="check" checked={prune} onChange={({ target }) => setPrune(target.checked)} />
          Prune: delete what that deployment did not have
        </label>
        <label className="row">
          <input type="checkbox" className="check" checked={pin} onChange={({ target }) => setPin(target.checked)} />
          Hold it there, whatever the source says
        </label>
        {isAutomated && !pin && <Notice tone="warn">This application syncs by itself: without holding it, the rollback is refused.</Notice>}
        {pin && (
          <div className="row history-hold">
            <label className="field grow">
              <span>Why</span>
              <input
                className="input"
                value={pinReason}
                placeholder="for those who wonder"
                onChange={({ target }) => setReason(target.value)}
              />
            </label>
            <label className="field">
              <span>For how long</span>
              <select className="input" value={holdSeconds} onChange={({ target }) => setHold(target.value)}>
                {HOLDS.map(({ value, title }) => (
                  <option key={value} value={value}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
          </div>
        )}
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      </div>
    </Dialog>
  );
}
