import type { ReactElement } from 'react';
import type { ApplicationSource } from '../../contract/gen/types.ts';
import { describeError } from '../api/index.ts';
import { Badge, Icon, Notice } from '../design/index.ts';
import { useRepositoryApps, useSettled } from './use-repository.ts';

interface FoundFoldersProps {
  readonly source: ApplicationSource;
  readonly project: string;
  readonly appName: string;
  /** The repository answers. */
  readonly isKnown: boolean;
  readonly onChange: (source: ApplicationSource) => void;
}

const SHOWN_MAX = 8;

/** The folders of the repository that look like applications, to choose from. */
export function FoundFolders({ source, project, appName, isKnown, onChange }: FoundFoldersProps): ReactElement | null {
  const revision = useSettled(source.targetRevision ?? '');
  const { data, error, isFetching } = useRepositoryApps(
    { repoURL: source.repoURL, targetRevision: revision },
    { project, appName, isKnown },
  );
  if (!isKnown) return null;
  if (error !== null)
    return (
      <Notice tone="warn">
        The folders of the repository could not be listed: <bdi>{describeError(error)}</bdi> Check the revision and the project, or write
        the path by hand.
      </Notice>
    );
  if (data === undefined)
    return isFetching ? (
      <p className="row soft" role="status">
        <Icon name="progress" isSpinning /> Looking for applications in it…
      </p>
    ) : null;
  const written = source.path ?? '';
  const isChosen = data.some(({ path }) => path === written);
  const fitting = isChosen ? data : data.filter(({ path = '' }) => path.includes(written));
  if (fitting.length === 0)
    return (
      <p className="faint">
        {data.length === 0 ? 'Nothing in it looks like an application.' : 'No folder that looks like an application fits this path.'}
      </p>
    );
  const shown = fitting.slice(0, SHOWN_MAX);
  return (
    <div className="found-folders" role="group" aria-label="Folders that look like applications">
      {shown.map(({ path = '', type = '' }) => (
        <button
          key={path}
          type="button"
          className="found-folder"
          aria-pressed={path === written}
          onClick={() => onChange({ ...source, path })}
        >
          <Icon name="project" size={14} />
          <span className="one-line mono">{path}</span>
          <Badge>{type}</Badge>
        </button>
      ))}
      {fitting.length > shown.length && <span className="faint">and {fitting.length - shown.length} more: write a part of the path</span>}
    </div>
  );
}
