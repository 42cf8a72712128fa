import { useState, type ReactElement } from 'react';
import { api } from '../../../api/index.ts';
import { useGo } from '../../../app/index.ts';
import { Button, Dialog, Notice } from '../../../design/index.ts';
import { useShown, useShownName, useTree } from '../use-application.ts';
import { useDeed } from '../use-deed.ts';

const WAYS = [
  { id: 'foreground', title: 'With its resources', detail: 'What a resource owns goes before the resource.' },
  { id: 'background', title: 'With its resources, in the background', detail: 'The cluster deletes what they own when it has time.' },
  { id: 'none', title: 'The application alone', detail: 'Its resources go on living, and nobody looks after them.' },
] as const;

/** Deletes the application, after a look at what will go. */
export function DeleteDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { metadata } = useShown();
  const name = useShownName();
  const go = useGo();
  const [way, setWay] = useState<(typeof WAYS)[number]['id']>('foreground');
  const [typed, setTyped] = useState('');
  const { failure, isBusy, run } = useDeed(() => {
    onClose();
    go('/applications');
  });
  const remove = (): void =>
    run(`${name.name} is being deleted`, () =>
      api.ApplicationService.Delete({ ...name, cascade: way !== 'none', ...(way !== 'none' && { propagationPolicy: way }) }),
    );
  return (
    <Dialog
      title={`Delete ${name.name}?`}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            icon="trash"
            isBusy={isBusy}
            disabledReason={typed === name.name ? undefined : 'Type the name of the application first'}
            onClick={remove}
          >
            Delete
          </Button>
        </>
      }
    >
      <div className="stack">
        <fieldset className="stack delete-ways">
          <legend className="visually-hidden">What is deleted</legend>
          {WAYS.map(({ id, title, detail }) => (
            <label key={id} className="row">
              <input type="radio" name="delete-way" className="check" checked={way === id} onChange={() => setWay(id)} />
              <span>
                {title}
                <div className="faint">{detail}</div>
              </span>
            </label>
          ))}
        </fieldset>
        {way !== 'none' && <WhatGoes />}
        {(metadata.ownerReferences ?? []).length > 0 && (
          <Notice tone="warn">
            {metadata.ownerReferences![0]!.kind} {metadata.ownerReferences![0]!.name} made it, and may make it again.
          </Notice>
        )}
        <label className="field">
          <span>
            Type <strong>{name.name}</strong> to confirm
          </span>
          <input className="input" value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
        </label>
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      </div>
    </Dialog>
  );
}

function WhatGoes(): ReactElement | null {
  const { metadata } = useShown();
  const { data } = useTree({ name: metadata.name ?? '', namespace: metadata.namespace ?? '' });
  const counts = new Map<string, number>();
  for (const { kind = '' } of data?.nodes ?? []) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (counts.size === 0) return null;
  const parts = [...counts].toSorted(([left], [right]) => left.localeCompare(right)).map(([kind, count]) => `${count} ${kind}`);
  return <Notice tone="warn">These will go: {parts.join(', ')}.</Notice>;
}
