import { useState, type ReactElement } from 'react';
import { api } from '../../../api/index.ts';
import { useGo } from '../../../app/index.ts';
import { Choices, FormDialog, Notice, useConfirmName, useDeed } from '../../../design/index.ts';
import { useShown, useShownName, useTree } from '../use-application.ts';

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
  const confirmation = useConfirmName(name.name, 'application');
  const deed = useDeed(() => {
    onClose();
    go('/applications');
  });
  const remove = (): void =>
    deed.run(`${name.name} is being deleted`, () =>
      api.ApplicationService.Delete({ ...name, cascade: way !== 'none', ...(way !== 'none' && { propagationPolicy: way }) }),
    );
  return (
    <FormDialog
      title={`Delete ${name.name}?`}
      {...{ onClose, deed }}
      action="Delete"
      look="danger"
      icon="trash"
      disabledReason={confirmation.disabledReason}
      onSubmit={remove}
    >
      <Choices label="What is deleted" choices={WAYS} value={way} onChange={setWay} />
      {way !== 'none' && <WhatGoes />}
      {(metadata.ownerReferences ?? []).length > 0 && (
        <Notice tone="warn">
          {metadata.ownerReferences![0]!.kind} {metadata.ownerReferences![0]!.name} made it, and may make it again.
        </Notice>
      )}
      {confirmation.field}
    </FormDialog>
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
