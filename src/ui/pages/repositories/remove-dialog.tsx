import type { ReactElement } from 'react';
import type { RepoCreds, Repository } from '../../../contract/gen/types.ts';
import { queryClient } from '../../api/index.ts';
import { FormDialog, Notice, useDeed, UserText } from '../../design/index.ts';
import type { Family } from './families.ts';
import { Users } from './users.tsx';
import { useRepositories, useUsers } from './use-repositories.ts';

interface RemoveProps {
  readonly family: Family;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

function useRemoval({ onRemoved }: RemoveProps) {
  return useDeed(() => {
    void queryClient.invalidateQueries({ queryKey: ['repositories'] });
    onRemoved();
  });
}

/** Removes a repository, after a look at who uses it. */
export function RemoveRepository(props: RemoveProps & { readonly repository: Repository }): ReactElement {
  const { family, onClose, repository } = props;
  const { repo, name, project = '' } = repository;
  const { data } = useUsers(repo);
  const isUsed = (data?.items ?? []).length > 0;
  const deed = useRemoval(props);
  return (
    <FormDialog
      title={
        <>
          Remove <UserText>{name || repo}</UserText>?
        </>
      }
      action="Remove"
      look="danger"
      icon="trash"
      {...{ onClose, deed }}
      onSubmit={() => deed.run(`${repo} is removed`, () => family.remove({ repo, appProject: project }))}
    >
      <p>Fairway forgets the address and its credentials. Nothing changes in the repository.</p>
      <Users url={repo} />
      {isUsed && (
        <Notice tone="warn">
          They keep what they have deployed, but cannot read the repository any more unless it is public or a template matches.
        </Notice>
      )}
    </FormDialog>
  );
}

/** Removes a template, after a look at which repositories take their credentials from it. */
export function RemoveTemplate(props: RemoveProps & { readonly template: RepoCreds }): ReactElement {
  const { family, onClose, template } = props;
  const { data = [] } = useRepositories(family.id);
  const users = data.filter(({ repo, inheritedCreds }) => inheritedCreds === true && isBelow(repo, template.url));
  const deed = useRemoval(props);
  return (
    <FormDialog
      title={
        <>
          Remove the credentials for <UserText>{template.url}</UserText>?
        </>
      }
      action="Remove"
      look="danger"
      icon="trash"
      {...{ onClose, deed }}
      onSubmit={() => deed.run(`The credentials for ${template.url} are removed`, () => family.removeTemplate(template.url))}
    >
      {users.length === 0 ? (
        <p>No repository that you may see takes its credentials from here.</p>
      ) : (
        <Notice tone="warn">
          These repositories have no credentials of their own and may no longer be reached:
          <ul className="repositories-users">
            {users.map(({ repo, project }) => (
              <li key={`${project} ${repo}`} className="one-line">
                <UserText>{repo}</UserText>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </FormDialog>
  );
}

/** Whole names in the path: the credentials for `https://host/team` are not for `https://host/team-b`. */
export function isBelow(url: string, prefix: string): boolean {
  const [one, other] = [url.toLowerCase(), prefix.toLowerCase()];
  return one.startsWith(other) && (other.endsWith('/') || one.length === other.length || one[other.length] === '/');
}
