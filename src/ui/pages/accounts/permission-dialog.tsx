import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { askPermission, useUser } from '../../api/index.ts';
import { readText, useSearchValues } from '../../app/index.ts';
import { Button, Dialog, ErrorState, Notice, SelectField, TextField } from '../../design/index.ts';

const RESOURCES = [
  'applications',
  'applicationsets',
  'projects',
  'clusters',
  'repositories',
  'write-repositories',
  'certificates',
  'gpgkeys',
  'accounts',
  'logs',
  'exec',
  'extensions',
].map((id) => ({ id, title: id }));
const ACTIONS = ['get', 'create', 'update', 'delete', 'sync', 'override', 'action', 'invoke'].map((id) => ({ id, title: id }));

/** What policies name with a project before it. */
const IN_PROJECTS: readonly string[] = ['applications', 'applicationsets', 'logs', 'exec'];

/** Asks whether the person may do something, and why. The question is in the address, so that it can be sent to whoever manages access. */
export function PermissionDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [search, change] = useSearchValues();
  const user = useUser();
  const resource = readText(search['resource']) || 'applications';
  const action = readText(search['action']) || 'get';
  const object = readText(search['object']) || anyOf(resource);
  const [typed, setTyped] = useState(object);
  const { data, error, refetch } = useQuery({
    queryKey: ['can-i', resource, action, object],
    queryFn: ({ signal }) => askPermission(resource, action, object, signal),
  });
  return (
    <Dialog title={`What may ${user?.username || 'I'} do?`} isOpen onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          change({ object: typed.trim() });
        }}
      >
        <SelectField
          title="What"
          value={resource}
          options={RESOURCES}
          onChange={(value) => {
            change({ resource: value, object: undefined });
            setTyped(anyOf(value));
          }}
        />
        <SelectField title="Action" value={action} options={ACTIONS} onChange={(value) => change({ action: value })} />
        <div className="row accounts-object">
          <div className="grow">
            <TextField
              title="Which"
              value={typed}
              hint="As policies name it, such as project/application; a star is any."
              onChange={setTyped}
            />
          </div>
          <Button type="submit">Ask</Button>
        </div>
        {error !== null && <ErrorState error={error} what="That could not be asked" onRetry={() => void refetch()} />}
        {data !== undefined && (
          <Notice tone={data.allowed ? 'good' : 'bad'} icon={data.allowed ? 'check' : 'close'}>
            <div role="status">{data.allowed ? `Yes: you may ${action} ${resource} ${object}.` : `No. ${data.reason}`}</div>
          </Notice>
        )}
      </form>
    </Dialog>
  );
}

function anyOf(resource: string): string {
  return IN_PROJECTS.includes(resource) ? '*/*' : '*';
}
