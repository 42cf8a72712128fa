import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { AppProject, ApplicationDestination } from '../../contract/gen/types.ts';
import { api } from '../api/index.ts';
import { Segments, SelectField, TextField } from '../design/index.ts';
import { setField } from './set-field.ts';

/** More than these are looked for by writing. */
const OPTIONS_MAX = 40;

/** The projects that the person may see, with where they let applications go. */
export function useProjects(): readonly AppProject[] | undefined {
  const { data } = useQuery({
    queryKey: ['projects', 'destinations'],
    queryFn: ({ signal }) => api.ProjectService.List({}, { signal, fields: 'items.metadata.name,items.spec.destinations' }),
  });
  return data === undefined ? undefined : (data.items ?? []);
}

interface ProjectFieldProps {
  readonly project: string;
  readonly error?: string | undefined;
  readonly onChange: (project: string) => void;
}

/** Whose rules hold. */
export function ProjectField({ project, error, onChange }: ProjectFieldProps): ReactElement {
  const names = (useProjects() ?? []).flatMap(({ metadata }) => metadata.name ?? []);
  const all = names.includes(project) ? names : [project, ...names];
  if (names.length === 0 || names.length > OPTIONS_MAX)
    return <TextField title="Project" value={project} suggestions={names} error={error} onChange={(value) => onChange(value.trim())} />;
  return (
    <SelectField
      title="Project"
      value={project}
      error={error}
      hint="Its rules say what may go where"
      options={all.map((name) => ({ id: name, title: name }))}
      onChange={onChange}
    />
  );
}

interface DestinationFieldsProps {
  readonly destination: ApplicationDestination;
  readonly project: string;
  readonly appName: string;
  readonly onChange: (destination: ApplicationDestination) => void;
}

const WAYS = [
  { id: 'name', title: 'By its name' },
  { id: 'server', title: 'By its address' },
] as const;

/** Where the resources go. */
export function DestinationFields({ destination, project, appName, onChange }: DestinationFieldsProps): ReactElement {
  const { data } = useQuery({
    queryKey: ['clusters', 'names'],
    queryFn: ({ signal }) => api.ClusterService.List({}, { signal, fields: 'items.name,items.server' }),
  });
  const clusters = (data?.items ?? []).map(({ name, server }) => ({ name, server }));
  const [way, setWay] = useState<'name' | 'server'>(destination.name ? 'name' : 'server');
  const allowed = useProjects()?.find(({ metadata }) => metadata.name === project)?.spec.destinations ?? [];
  const namespaces = [...new Set([...allowed.map(({ namespace = '' }) => namespace), appName])].filter(
    (namespace) => namespace !== '' && !/[*?![{]/.test(namespace),
  );
  const changeWay = (next: 'name' | 'server'): void => {
    setWay(next);
    const known = clusters.find(({ name, server }) => (way === 'name' ? name === destination.name : server === destination.server));
    const { name: _name, server: _server, ...rest } = destination;
    onChange(known === undefined ? rest : { ...rest, [next]: known[next] });
  };
  const change = (value: string): void => {
    const { name: _name, server: _server, ...rest } = destination;
    onChange(value === '' ? rest : { ...rest, [way]: value });
  };
  const value = destination[way] ?? '';
  return (
    <div className="stack">
      <div className="row">
        <Segments label="How the cluster is named" segments={WAYS} value={way} onChange={changeWay} />
      </div>
      <div className="form-columns">
        {clusters.length === 0 || clusters.length > OPTIONS_MAX ? (
          <TextField
            title="Cluster"
            value={value}
            placeholder={way === 'name' ? 'in-cluster' : 'https://kubernetes.default.svc'}
            suggestions={clusters.map((cluster) => cluster[way])}
            onChange={(text) => change(text.trim())}
          />
        ) : (
          <SelectField
            title="Cluster"
            value={value}
            options={[
              ...(clusters.some((cluster) => cluster[way] === value)
                ? []
                : [{ id: value, title: value === '' ? 'Choose a cluster' : value }]),
              ...clusters.map((cluster) => ({
                id: cluster[way],
                title: cluster.name === cluster.server ? cluster.server : `${cluster.name} (${cluster.server})`,
              })),
            ]}
            onChange={change}
          />
        )}
        <TextField
          title="Namespace"
          value={destination.namespace ?? ''}
          placeholder="that of each resource"
          suggestions={namespaces}
          onChange={(text) => onChange(setField(destination, 'namespace', text.trim()))}
        />
      </div>
      <Allowed {...{ project }} places={allowed} />
    </div>
  );
}

function Allowed({
  project,
  places,
}: {
  readonly project: string;
  readonly places: readonly ApplicationDestination[];
}): ReactElement | null {
  const isAnything = places.some(({ server, namespace }) => server === '*' && namespace === '*');
  if (places.length === 0 || isAnything) return null;
  const shown = places
    .slice(0, 5)
    .map(({ server = '', name = '', namespace = '' }) => `${namespace || 'no namespace'} on ${name || server}`);
  return (
    <p className="faint">
      Project <bdi>{project}</bdi> lets applications go to: <bdi>{shown.join('; ')}</bdi>
      {places.length > shown.length && ` and ${places.length - shown.length} more`}
    </p>
  );
}
