import { useState, type ReactElement } from 'react';
import type { ResourceAction } from '../../../../contract/gen/types.ts';
import { api, useCan } from '../../../api/index.ts';
import { Button, Choices, FormDialog, Menu, MenuItem, Notice, TextField, useDeed } from '../../../design/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { useShownObject } from '../use-application.ts';
import { useActions, useResourceName } from './use-resource.ts';

/** What can be done to the resource: its own actions, and deletion. */
export function ResourceActions({
  resource,
  onDeleted,
}: {
  readonly resource: ShownResource;
  readonly onDeleted: () => void;
}): ReactElement | null {
  const { data: actions = [] } = useActions(resource);
  const [asked, setAsked] = useState<ResourceAction>();
  const [isDeleting, setDeleting] = useState(false);
  const { group, kind, namespace, name } = resource;
  const object = useShownObject();
  const canDelete = useCan('applications', `delete/${group}/${kind}/${namespace}/${name}`, object);
  if (resource.uid === '') return null;
  return (
    <div className="row">
      {actions.length > 0 && (
        <Menu icon="play" button="Actions" label="Actions">
          {actions.map((action) => (
            <ActionItem key={action.name} {...{ action, resource, object }} onAsk={() => setAsked(action)} />
          ))}
        </Menu>
      )}
      <Button look="danger" icon="trash" permission={canDelete} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {asked !== undefined && <RunAction resource={resource} action={asked} onClose={() => setAsked(undefined)} />}
      {isDeleting && <DeleteResource {...{ resource, onDeleted }} onClose={() => setDeleting(false)} />}
    </div>
  );
}

interface ActionItemProps {
  readonly action: ResourceAction;
  readonly resource: ShownResource;
  readonly object: string;
  readonly onAsk: () => void;
}

function ActionItem({ action, resource, object, onAsk }: ActionItemProps): ReactElement {
  const permission = useCan('applications', `action/${resource.group}/${resource.kind}/${action.name ?? ''}`, object);
  return (
    <MenuItem
      permission={permission}
      disabledReason={action.disabled === true ? 'Not possible in its present state' : undefined}
      onClick={onAsk}
    >
      {action.displayName || action.name}
    </MenuItem>
  );
}

function RunAction({
  resource,
  action,
  onClose,
}: {
  readonly resource: ShownResource;
  readonly action: ResourceAction;
  readonly onClose: () => void;
}): ReactElement {
  const request = useResourceName(resource);
  const title = action.displayName || action.name || '';
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const deed = useDeed(onClose);
  const resourceActionParameters = (action.params ?? []).map(({ name = '' }) => ({ name, value: values[name] ?? '' }));
  const start = (): void =>
    deed.run(`${title} was done`, () =>
      api.ApplicationService.RunResourceActionV2({ ...request, action: action.name ?? '', resourceActionParameters }),
    );
  return (
    <FormDialog title={`${title}: ${resource.kind} ${resource.name}`} {...{ onClose, deed }} action={title} onSubmit={start}>
      <p>This changes the resource in the cluster, as the action says. It may differ from the source afterwards.</p>
      {(action.params ?? []).map(({ name = '' }) => (
        <TextField key={name} title={name} value={values[name] ?? ''} onChange={(value) => setValues({ ...values, [name]: value })} />
      ))}
    </FormDialog>
  );
}

interface DeleteResourceProps {
  readonly resource: ShownResource;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

const WAYS = [
  { id: 'foreground', title: 'With everything that it owns', detail: 'What it owns goes first.' },
  { id: 'orphan', title: 'Alone', detail: 'What it owns stays, without an owner.' },
  { id: 'force', title: 'At once', detail: 'Without waiting for anything to end in order. Processes may go on for a while.' },
] as const;

function DeleteResource({ resource, onClose, onDeleted }: DeleteResourceProps): ReactElement {
  const request = useResourceName(resource);
  const [way, setWay] = useState<(typeof WAYS)[number]['id']>('foreground');
  const deed = useDeed(onDeleted);
  const remove = (): void =>
    deed.run(`${resource.kind} ${resource.name} is being deleted`, () =>
      api.ApplicationService.DeleteResource({ ...request, force: way === 'force', orphan: way === 'orphan' }),
    );
  return (
    <FormDialog
      title={`Delete ${resource.kind} ${resource.name}?`}
      {...{ onClose, deed }}
      action="Delete"
      look="danger"
      icon="trash"
      onSubmit={remove}
    >
      <Choices label="How it is deleted" choices={WAYS} value={way} onChange={setWay} />
      {resource.sync !== undefined && !resource.requiresPruning && (
        <Notice tone="warn">The source declares it: the next sync creates it again.</Notice>
      )}
    </FormDialog>
  );
}
