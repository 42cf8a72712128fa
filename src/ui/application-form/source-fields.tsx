import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ApplicationSource } from '../../contract/gen/types.ts';
import { api } from '../api/index.ts';
import { Segments, TextField, formatCount } from '../design/index.ts';
import { FoundFolders } from './found-folders.tsx';
import { hasPassword } from './has-password.ts';
import { RepositoryState } from './repository-state.tsx';
import { setField } from './set-field.ts';
import { kindOf, useRepositoryContent, useSettled, type RepositoryContent, type SourceKind } from './use-repository.ts';

interface SourceFieldsProps {
  readonly source: ApplicationSource;
  /** Decides which credentials are used, and what may be looked at. */
  readonly project: string;
  readonly appName: string;
  readonly onChange: (source: ApplicationSource) => void;
}

const KINDS = [
  { id: 'git', title: 'A folder in Git' },
  { id: 'helm', title: 'A chart of a Helm repository' },
] as const;
const SUGGESTIONS_MAX = 200;

/** Where the manifests come from: the repository, and the folder or chart in it. */
export function SourceFields({ source, project, appName, onChange }: SourceFieldsProps): ReactElement {
  const kind = kindOf(source);
  const { data: repositories } = useQuery({
    queryKey: ['repositories', 'names'],
    queryFn: ({ signal }) => api.RepositoryService.ListRepositories({}, { signal, fields: 'items.repo,items.type,items.name' }),
  });
  const settled = useSettled(source.repoURL.trim());
  const content = useRepositoryContent(settled, kind, project);
  const isKnown = content.isSuccess && settled === source.repoURL.trim();
  const changeURL = (repoURL: string): void => {
    const registered = repositories?.items?.find(({ repo }) => repo === repoURL);
    const next = { ...source, repoURL: repoURL.trim() };
    if (kindOf(next) === 'oci' && kind !== 'oci') return onChange(toKind(next, 'oci'));
    if (registered?.type === 'helm' && kind === 'git') return onChange(toKind(next, 'helm'));
    if (registered?.type === 'git' && kind === 'helm') return onChange(toKind(next, 'git'));
    onChange(next);
  };
  return (
    <div className="stack">
      {kind !== 'oci' && (
        <div className="row">
          <Segments label="What it is made from" segments={KINDS} value={kind} onChange={(next) => onChange(toKind(source, next))} />
        </div>
      )}
      <TextField
        title="Repository"
        value={source.repoURL}
        placeholder={kind === 'helm' ? 'https://charts.example.com' : 'https://git.example.com/team/deploy.git'}
        suggestions={repositories?.items?.map(({ repo }) => repo).slice(0, SUGGESTIONS_MAX)}
        error={
          hasPassword(source.repoURL)
            ? 'The address has a password in it, which everybody could read. Give it under Settings, Repositories, instead.'
            : undefined
        }
        onChange={changeURL}
      />
      <RepositoryState url={settled} kind={kind} content={content} />
      {kind === 'helm' ? (
        <ChartFields {...{ source, onChange }} content={content.data} />
      ) : (
        <>
          <TextField
            title={kind === 'oci' ? 'Version' : 'Revision'}
            value={source.targetRevision ?? ''}
            placeholder={kind === 'oci' ? '1.0.0' : 'HEAD'}
            hint={
              kind === 'oci' ? 'A tag, or a range of versions such as 1.*' : 'A branch, a tag, a commit, or a range of versions such as 1.*'
            }
            suggestions={[...(content.data?.branches ?? []), ...(content.data?.tags ?? [])].slice(0, SUGGESTIONS_MAX)}
            onChange={(value) => onChange(setField(source, 'targetRevision', value.trim()))}
          />
          <TextField
            title="Path"
            value={source.path ?? ''}
            placeholder="apps/web"
            hint={
              kind === 'oci' ? 'The folder in the artifact; . is all of it' : 'The folder in the repository; . is the repository itself'
            }
            onChange={(value) => onChange(setField(source, 'path', value.trim()))}
          />
          {kind === 'git' && <FoundFolders {...{ source, project, appName, isKnown, onChange }} />}
        </>
      )}
    </div>
  );
}

interface ChartFieldsProps {
  readonly source: ApplicationSource;
  readonly content: RepositoryContent | undefined;
  readonly onChange: (source: ApplicationSource) => void;
}

function ChartFields({ source, content, onChange }: ChartFieldsProps): ReactElement {
  const charts = content?.charts ?? [];
  const chart = charts.find(({ name }) => name === source.chart);
  const isUnknown = charts.length > 0 && source.chart !== '' && chart === undefined;
  return (
    <div className="form-columns">
      <TextField
        title="Chart"
        value={source.chart ?? ''}
        placeholder="nginx"
        suggestions={charts.map(({ name }) => name ?? '').slice(0, SUGGESTIONS_MAX)}
        error={isUnknown ? 'The repository has no such chart' : undefined}
        hint={charts.length > 0 ? `${formatCount(charts.length, 'chart')} to choose from` : undefined}
        onChange={(value) => onChange({ ...source, chart: value.trim() })}
      />
      <TextField
        title="Version"
        value={source.targetRevision ?? ''}
        placeholder={chart?.versions?.[0] ?? '1.0.0'}
        suggestions={chart?.versions?.slice(0, SUGGESTIONS_MAX)}
        hint={chart?.versions === undefined ? 'A version, or a range such as 1.*' : `Newest: ${chart.versions[0] ?? 'none'}`}
        onChange={(value) => onChange(setField(source, 'targetRevision', value.trim()))}
      />
    </div>
  );
}

/** The same repository as something else; what does not fit is left behind. */
function toKind(source: ApplicationSource, kind: SourceKind): ApplicationSource {
  const { path: _path, chart: _chart, targetRevision: _revision, ...rest } = source;
  if (kind === 'oci') return { ...rest, path: '.' };
  return kind === 'helm' ? { ...rest, chart: '' } : rest;
}
