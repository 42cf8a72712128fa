import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, CallError, getJson, useCan } from '../../../api/index.ts';
import { readText, useSearchValues } from '../../../app/index.ts';
import { Badge, Button, EmptyState, ErrorState, Loading, Notice, SelectField, TextField, UserText } from '../../../design/index.ts';
import { useShownName } from '../use-project.ts';
import { readAnswer, type WhoCan } from './read-answer.ts';
import './who-can.css';

const RESOURCES = ['applications', 'applicationsets', 'logs', 'exec', 'repositories', 'clusters', 'projects'].map((id) => ({
  id,
  title: id,
}));
const ACTIONS = ['get', 'create', 'update', 'delete', 'sync', 'override', 'action'].map((id) => ({ id, title: id }));
const NAMES_MAX = 200;

interface Question {
  readonly action: string;
  readonly resource: string;
  readonly object: string;
}

/** Who may do something in the project, and the line of the policy that says so. The question is in the address. */
export function WhoCanTab(): ReactElement {
  const project = useShownName();
  const [search, change] = useSearchValues();
  const canAsk = useCan('accounts', 'get', '*');
  const asked: Question = {
    action: ACTIONS.find(({ id }) => id === readText(search['action']))?.id ?? 'sync',
    resource: RESOURCES.find(({ id }) => id === readText(search['resource']))?.id ?? 'applications',
    object: readText(search['object']),
  };
  const [object, setObject] = useState(asked.object);
  const names = useNames(project);
  const isProject = asked.resource === 'projects';
  const full = isProject ? project : `${project}/${asked.object === '' ? '*' : asked.object}`;
  return (
    <div className="stack who-can">
      <form
        className="who-can-question"
        onSubmit={(event) => {
          event.preventDefault();
          change({ object: object.trim() === '' ? undefined : object.trim() });
        }}
      >
        <SelectField title="Who can" options={ACTIONS} value={asked.action} onChange={(action) => change({ action })} />
        <SelectField title="What" options={RESOURCES} value={asked.resource} onChange={(resource) => change({ resource })} />
        <TextField
          title="Which"
          value={isProject ? project : object}
          isReadOnly={isProject}
          placeholder="*"
          suggestions={names}
          onChange={setObject}
        />
        <Button type="submit" look="primary" permission={canAsk}>
          Ask
        </Button>
      </form>
      <p className="faint">
        Asked about <code>{full}</code>. {asked.object === '' && !isProject && 'This means all of them; write a name to ask about one.'}
      </p>
      <Yourself {...asked} object={full} />
      {canAsk.allowed && <Answer {...asked} object={full} />}
      {canAsk.reason !== undefined && <Notice icon="users">Who else can is told to those who may see all accounts. {canAsk.reason}</Notice>}
    </div>
  );
}

/** The person’s own right, which everybody may know. */
function Yourself({ action, resource, object }: Question): ReactElement | null {
  const own = useCan(resource, action, object);
  if (!own.allowed && own.reason === undefined) return null;
  return (
    <Notice tone={own.allowed ? 'good' : 'mute'} icon={own.allowed ? 'check' : 'close'}>
      {own.allowed ? 'You can.' : own.reason}
    </Notice>
  );
}

function Answer({ action, resource, object }: Question): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['who-can', resource, action, object],
    queryFn: async ({ signal }): Promise<WhoCan> => {
      const query = new URLSearchParams({ resource, action, object });
      return readAnswer(await getJson(`/api/fairway/v1/who-can?${query.toString()}`, { signal }));
    },
  });
  if (data === undefined)
    return error === null ? (
      <Loading what="Asking" />
    ) : (
      <ErrorState error={error} what="This could not be found out" onRetry={() => void refetch()} />
    );
  if (data.subjects.length === 0 && !data.everyone)
    return (
      <EmptyState icon="users" title="Nobody can">
        Add a role to this project, or a line to <code>argocd-rbac-cm</code>.
      </EmptyState>
    );
  return (
    <div className="stack">
      {data.everyone && <Notice tone="warn">Everybody who is signed in can: the default role allows it.</Notice>}
      <div className="card who-can-answer" role="region" aria-label="Those who can" tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Because of the line</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {data.subjects.map(({ subject, line, origin }) => (
              <tr key={subject}>
                <td>
                  <UserText>{subject}</UserText>
                </td>
                <td className="mono">
                  <UserText>{line}</UserText>
                </td>
                <td>
                  <Badge tone={origin.startsWith('project') ? 'calm' : 'mute'}>{origin}</Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Applications of the project, to choose from. Without them a name can still be written. */
function useNames(project: string): readonly string[] {
  const { data } = useQuery({
    queryKey: ['project', project, 'names'],
    queryFn: async ({ signal }) => {
      try {
        const { items } = await api.ApplicationService.List(
          { projects: [project], limit: NAMES_MAX },
          { signal, fields: 'items.metadata.name' },
        );
        return items.flatMap(({ metadata }) => metadata.name ?? []);
      } catch (error) {
        if (error instanceof CallError) return [];
        throw error;
      }
    },
  });
  return data ?? [];
}
