import type { ReactElement } from 'react';
import type { AppProject } from '../../../contract/gen/types.ts';
import { AppLink } from '../../app/index.ts';
import { Badge, type Column } from '../../design/index.ts';
import { useApplicationCount } from '../project/use-project.ts';
import { describeNow } from '../project/windows/window-times.ts';
import { destinationText, projectPath, summarize } from './project-row.ts';

export function createColumns(): readonly Column<AppProject>[] {
  return [
    { key: 'name', title: 'Name', width: 'minmax(180px, 2fr)', render: (project) => <Name project={project} /> },
    {
      key: 'applications',
      title: 'Applications',
      width: '100px',
      render: ({ metadata }) => <Applications name={metadata.name ?? ''} />,
    },
    {
      key: 'sources',
      title: 'Sources',
      width: 'minmax(140px, 1.6fr)',
      render: ({ spec }) => <Text text={summarize(spec.sourceRepos ?? [], 'any repository', 'none')} all={spec.sourceRepos} />,
    },
    {
      key: 'destinations',
      title: 'Destinations',
      width: 'minmax(140px, 1.6fr)',
      render: ({ spec }) => {
        const all = (spec.destinations ?? []).map(destinationText);
        return <Text text={summarize(all, 'anywhere', 'none')} all={all} />;
      },
    },
    {
      key: 'roles',
      title: 'Roles',
      width: 'minmax(110px, 1.1fr)',
      render: ({ spec }) => {
        const all = (spec.roles ?? []).map(({ name }) => name);
        return <Text text={all.length === 0 ? '—' : all.join(', ')} all={all} />;
      },
    },
    { key: 'windows', title: 'Sync windows', width: '128px', render: ({ spec }) => <Windows windows={spec.syncWindows ?? []} /> },
  ];
}

function Name({ project: { metadata, spec } }: { readonly project: AppProject }): ReactElement {
  return (
    <div>
      <div className="one-line">
        <AppLink to={projectPath(metadata.name)}>{metadata.name}</AppLink>
      </div>
      <div className="one-line faint" title={spec.description}>
        {spec.description}
      </div>
    </div>
  );
}

function Applications({ name }: { readonly name: string }): ReactElement {
  const count = useApplicationCount(name);
  if (count === undefined) return <span className="faint">…</span>;
  return (
    <AppLink to="/applications" search={{ proj: name }} title={`Applications of ${name}`}>
      {count.toLocaleString()}
    </AppLink>
  );
}

function Text({ text, all = [] }: { readonly text: string; readonly all?: readonly string[] | undefined }): ReactElement {
  return (
    <div className="one-line soft" title={all.join('\n')}>
      {text}
    </div>
  );
}

function Windows({ windows }: { readonly windows: NonNullable<AppProject['spec']['syncWindows']> }): ReactElement {
  if (windows.length === 0) return <span className="faint">—</span>;
  const open = windows.filter((window) => describeNow(window, Date.now())?.isOpen === true);
  const denies = open.some(({ kind }) => kind === 'deny');
  return (
    <span className="row">
      <span className="soft">{windows.length}</span>
      {open.length > 0 && <Badge tone={denies ? 'bad' : 'good'}>{`${open.length} open now`}</Badge>}
    </span>
  );
}
