import { useState, type ReactElement } from 'react';
import type { ResourceAction } from '../../../../contract/gen/types.ts';
import { api, useCan } from '../../../api/index.ts';
import { Button, Dialog, Menu, MenuItem, Notice } from '../../../design/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { useShownObject } from '../use-application.ts';
import { useDeed } from '../use-deed.ts';
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
  if (resource.node === undefined) return null;
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
      <DeleteResource {...{ resource, onDeleted }} isOpen={isDeleting} onClose={() => setDeleting(false)} />
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
  const { failure, isBusy, run } = useDeed(onClose);
  const resourceActionParameters = (action.params ?? []).map(({ name = '' }) => ({ name, value: values[name] ?? '' }));
  const start = (): void =>
    run(`${title} was done`, () =>
      api.ApplicationService.RunResourceActionV2({ ...request, action: action.name ?? '', resourceActionParameters }),
    );
  return (
    <Dialog
      title={`${title}: ${resource.kind} ${resource.name}`}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={isBusy} onClick={start}>
            {title}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>This changes the resource in the cluster, as the action says. It may differ from the source afterwards.</p>
        {(action.params ?? []).map(({ name = '' }) => (
          <label key={name} className="field">
            {name}
            <input className="input" value={values[name] ?? ''} onChange={({ target }) => setValues({ ...values, [name]: target.value })} />
          </label>
        ))}
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      </div>
    </Dialog>
  );
}

interface DeleteResourceProps {
  readonly resource: ShownResource;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

const WAYS = [
  { id: 'foreground', title: 'With everything that it owns', detail: 'What it owns goes first.' },
  { id: 'orphan', title: 'Alone', detail: 'What it owns stays, without an owner.' },
  { id: 'force', title: 'At once', detail: 'Without waiting for anything to end in order. Processes may go on for a while.' },
] as const;

function DeleteResource({ resource, isOpen, onClose, onDeleted }: DeleteResourceProps): ReactElement {
  const request = useResourceName(resource);
  const [way, setWay] = useState<(typeof WAYS)[number]['id']>('foreground');
  const { failure, isBusy, run } = useDeed(onDeleted);
  const remove = (): void =>
    run(`${resource.kind} ${resource.name} is being deleted`, () =>
      api.ApplicationService.DeleteResource({ ...request, force: way === 'force', orphan: way === 'orphan' }),
    );
  return (
    <Dialog
      title={`Delete ${resource.kind} ${resource.name}?`}
      isOpen={isOpen}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" icon="trash" isBusy={isBusy} onClick={remove}>
            Delete
          </Button>
        </>
      }
    >
      <fieldset className="stack resource-ways">
        <legend className="visually-hidden">How it is deleted</legend>
        {WAYS.map(({ id, title, detail }) => (
          <label key={id} className="row">
            <input type="radio" name="way" className="check" checked={way === id} onChange={() => setWay(id)} />
            <span>
              {title}
              <div className="faint">{detail}</div>
            </span>
          </label>
        ))}
      </fieldset>
      {resource.sync !== undefined && !resource.requiresPruning && (
        <Notice tone="warn">The source declares it: the next sync creates it again.</Notice>
      )}
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
    </Dialog>
  );
}
