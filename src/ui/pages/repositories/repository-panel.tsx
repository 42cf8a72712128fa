import { useState, type ReactElement } from 'react';
import type { Repository } from '../../../contract/gen/types.ts';
import { describeError, useCan } from '../../api/index.ts';
import {
  Badge,
  Button,
  ConnectionTrouble,
  Copy,
  ExternalLink,
  Facts,
  Panel,
  showToast,
  Status,
  TimeAgo,
  UserText,
  type Fact,
} from '../../design/index.ts';
import { readType } from './entry.ts';
import { typeTitles } from './describe-fields.ts';
import { objectOf, type Family } from './families.ts';
import { refreshStates } from './use-repositories.ts';
import { Users } from './users.tsx';

interface RepositoryPanelProps {
  readonly family: Family;
  readonly repository: Repository;
  readonly onClose: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** What is known of a repository, and what can be done with it. */
export function RepositoryPanel({ family, repository, onClose, onEdit, onRemove }: RepositoryPanelProps): ReactElement {
  const { repo, name, connectionState } = repository;
  const object = objectOf(repository);
  const canUpdate = useCan(family.resource, 'update', object);
  const canDelete = useCan(family.resource, 'delete', object);
  const [isBusy, setBusy] = useState(false);
  const refresh = (): void => {
    setBusy(true);
    refreshStates(family, repository)
      .catch((error: unknown) => showToast('bad', describeError(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Panel
      title={<UserText>{name || repo}</UserText>}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button look="danger" icon="trash" permission={canDelete} onClick={onRemove}>
            Remove
          </Button>
          <Button icon="refresh" isBusy={isBusy} onClick={refresh}>
            Try again now
          </Button>
          <Button look="primary" permission={canUpdate} onClick={onEdit}>
            Change
          </Button>
        </>
      }
    >
      <div className="stack">
        <div className="row">
          <Status kind="connection" value={connectionState?.status || 'Unknown'} />
          <span className="faint">
            tried <TimeAgo time={connectionState?.attemptedAt} />
          </span>
        </div>
        {connectionState?.status === 'Failed' && <ConnectionTrouble message={connectionState.message} />}
        <Facts facts={factsOf(repository)} />
        <h3>Used by</h3>
        <Users url={repo} />
      </div>
    </Panel>
  );
}

function factsOf(repository: Repository): readonly Fact[] {
  const { repo, project, proxy, noProxy, depth, githubAppID, inheritedCreds } = repository;
  return [
    [
      'Address',
      <>
        <ExternalLink href={repo}>
          <UserText>{repo}</UserText>
        </ExternalLink>{' '}
        <Copy text={repo} label="Copy the address" />
      </>,
    ],
    ['Type', typeTitles[readType(repository.type)]],
    ['Project', project ? <UserText key="project">{project}</UserText> : 'any that may use this address'],
    ['Credentials', describeCredentials(inheritedCreds === true, githubAppID)],
    ['Server', repository.insecure === true ? <Badge tone="warn">not checked</Badge> : 'checked'],
    ...(proxy ? ([['Proxy', <UserText key="proxy">{proxy}</UserText>]] as const) : []),
    ...(noProxy ? ([['Without the proxy', noProxy]] as const) : []),
    ...(repository.enableLfs === true ? ([['Large files', 'fetched']] as const) : []),
    ...(repository.enableOCI === true ? ([['Charts', 'in an OCI registry']] as const) : []),
    ...(depth ? ([['Depth', String(depth)]] as const) : []),
  ];
}

function describeCredentials(isInherited: boolean, app: number | undefined): string {
  if (isInherited) return 'from a template';
  return app ? `GitHub App ${app}` : 'its own, or none: they are not shown';
}
