import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { AppProject } from '../../../../contract/gen/types.ts';
import { api } from '../../../api/index.ts';
import { AppLink } from '../../../app/index.ts';
import { Badge, ExternalLink } from '../../../design/index.ts';
import { FIELD_TITLES } from '../project-form.ts';
import { useApplicationCount, useDetailedProject, useShownName } from '../use-project.ts';
import { Card } from './card.tsx';

/** What a global project gives to others. */
const INHERITED = [
  'namespaceResourceWhitelist',
  'namespaceResourceBlacklist',
  'clusterResourceWhitelist',
  'clusterResourceBlacklist',
  'syncWindows',
  'sourceRepos',
  'destinations',
] as const;

/** What is in the project, what it has to itself, and what it inherits. */
export function Belongings(): ReactElement {
  const name = useShownName();
  const count = useApplicationCount(name);
  const { data } = useDetailedProject(name);
  const { repositories = [], clusters = [], globalProjects = [] } = data ?? {};
  return (
    <>
      <Card title="In this project">
        <dl className="facts">
          <dt>Applications</dt>
          <dd>
            <AppLink to="/applications" search={{ proj: name }}>
              {count === undefined ? '…' : count.toLocaleString()}
            </AppLink>
          </dd>
          <dt>Own repositories</dt>
          <dd>
            {repositories.length === 0 && <span className="soft">none</span>}
            {repositories.map(({ repo }) => (
              <div key={repo}>
                <ExternalLink href={repo} />
              </div>
            ))}
          </dd>
          <dt>Own clusters</dt>
          <dd>
            {clusters.length === 0 && <span className="soft">none</span>}
            {clusters.map(({ name: own, server }) => (
              <div key={server}>{own || server}</div>
            ))}
          </dd>
          <Links name={name} />
        </dl>
      </Card>
      {globalProjects.length > 0 && (
        <Card title="Inherited" note="What global projects add to the rules above">
          {globalProjects.map((project) => (
            <Inherited key={project.metadata.name} project={project} />
          ))}
        </Card>
      )}
    </>
  );
}

/** Links that the settings of the server put beside projects. */
function Links({ name }: { readonly name: string }): ReactElement | null {
  const { data } = useQuery({
    queryKey: ['project', name, 'links'],
    queryFn: ({ signal }) => api.ProjectService.ListLinks({ name }, { signal }),
  });
  const links = data?.items ?? [];
  if (links.length === 0) return null;
  return (
    <>
      <dt>Links</dt>
      <dd>
        {links.map(({ title, url, description }) => (
          <div key={`${title} ${url}`} title={description}>
            <ExternalLink href={url}>{title}</ExternalLink>
          </div>
        ))}
      </dd>
    </>
  );
}

function Inherited({ project: { metadata, spec } }: { readonly project: AppProject }): ReactElement {
  const given = INHERITED.flatMap((field) => {
    const items = spec[field] ?? [];
    return items.length === 0 ? [] : [`${FIELD_TITLES[field]} (${items.length})`];
  });
  return (
    <p className="row">
      <AppLink to={`/settings/projects/${encodeURIComponent(metadata.name ?? '')}`}>{metadata.name}</AppLink>
      <Badge tone="calm">global</Badge>
      <span className="soft">{given.length === 0 ? 'adds nothing' : `adds ${given.join(', ')}`}</span>
    </p>
  );
}
