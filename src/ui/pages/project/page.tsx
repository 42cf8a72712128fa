import { useMemo, useState, type ReactElement } from 'react';
import { api, CallError, callCodes, queryClient, useCan } from '../../api/index.ts';
import { PageTitle, readText, useCommands, useGo, usePathNames, useSearchValues, Views } from '../../app/index.ts';
import {
  Button,
  Copy,
  EmptyState,
  ErrorState,
  FormDialog,
  Loading,
  Menu,
  MenuItem,
  Notice,
  useConfirmName,
  useDeed,
  formatCount,
} from '../../design/index.ts';
import { ReviewChanges } from './review.tsx';
import { tabs } from './tabs.ts';
import { ShowProject, useApplicationCount, useCanUpdate, useProject, useShownName } from './use-project.ts';
import './project.css';

/** One project: what its applications may use, who may do what with them, and when. */
export function Page(): ReactElement {
  const { name = '' } = usePathNames();
  const { data, error, refetch } = useProject(name);
  if (error instanceof CallError && error.code === callCodes.notFound) return <NotThere name={name} />;
  if (data === undefined)
    return error === null ? (
      <Loading what="Reading the project" />
    ) : (
      <ErrorState error={error} what={`${name} could not be read`} onRetry={() => void refetch()} />
    );
  return (
    <ShowProject value={data} key={name}>
      <ReviewChanges>
        <Head />
        <div className="page-body project">
          <Views label="Views of the project" views={tabs} forgets={['edit']} />
        </div>
      </ReviewChanges>
    </ShowProject>
  );
}

function Head(): ReactElement {
  const name = useShownName();
  const [search, change] = useSearchValues();
  const canUpdate = useCanUpdate();
  const isEditing = readText(search['edit']) !== '' && canUpdate.allowed;
  const canDelete = useCan('projects', 'delete', name);
  const [isDeleting, setDeleting] = useState(false);
  useCommands(
    useMemo(
      () => [
        {
          id: 'project-edit',
          title: 'Edit this project',
          group: 'Project',
          icon: 'code' as const,
          keys: 'e',
          run: () => canUpdate.allowed && change({ tab: undefined, edit: 'form' }, { replace: false }),
        },
      ],
      [change, canUpdate.allowed],
    ),
  );
  return (
    <header className="page-head">
      <PageTitle to="/settings/projects" of="Projects">
        <bdi>{name}</bdi>
        <Copy text={name} label="Copy the name" />
      </PageTitle>
      {!isEditing && (
        <>
          <Button icon="settings" permission={canUpdate} onClick={() => change({ tab: undefined, edit: 'form' }, { replace: false })}>
            Edit
          </Button>
          <Button icon="code" permission={canUpdate} onClick={() => change({ tab: undefined, edit: 'yaml' }, { replace: false })}>
            Edit as YAML
          </Button>
        </>
      )}
      <Menu icon="more" label="More" look="quiet">
        <MenuItem icon="trash" look="danger" permission={canDelete} onClick={() => setDeleting(true)}>
          Delete the project
        </MenuItem>
      </Menu>
      {isDeleting && <DeleteDialog name={name} onClose={() => setDeleting(false)} />}
    </header>
  );
}

function DeleteDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }): ReactElement {
  const go = useGo();
  const count = useApplicationCount(name) ?? 0;
  const confirmation = useConfirmName(name, 'project');
  const deed = useDeed(() => go('/settings/projects'));
  const remove = (): void =>
    deed.run(`${name} was deleted`, async () => {
      await api.ProjectService.Delete({ name });
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
    });
  return (
    <FormDialog
      title={`Delete ${name}`}
      {...{ onClose, deed }}
      action="Delete"
      look="danger"
      icon="trash"
      disabledReason={confirmation.disabledReason}
      onSubmit={remove}
    >
      {count > 0 && (
        <Notice tone="warn">
          It has {formatCount(count, 'application')}. Delete them or move them to another project first: the server keeps a project that is
          in use.
        </Notice>
      )}
      <p>Its roles go with it, and all tokens of these roles stop working.</p>
      {confirmation.field}
    </FormDialog>
  );
}

function NotThere({ name }: { readonly name: string }): ReactElement {
  const go = useGo();
  return (
    <EmptyState
      icon="project"
      title={`There is no project ${name}`}
      action={<Button onClick={() => go('/settings/projects')}>All projects</Button>}
    >
      It may have been deleted.
    </EmptyState>
  );
}
