import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { callCodes, CallError, describeError } from '../api/index.ts';
import { AppLink } from '../app/index.ts';
import { Button, Icon, Notice, formatCount } from '../design/index.ts';
import { isChartRegistry, type RepositoryContent, type SourceKind } from './use-repository.ts';

interface RepositoryStateProps {
  readonly url: string;
  readonly kind: SourceKind;
  readonly content: UseQueryResult<RepositoryContent>;
}

/** Whether the repository answers, what it has, and what to do where it does not. */
export function RepositoryState({ url, kind, content }: RepositoryStateProps): ReactElement | null {
  const { data, error, isFetching, refetch } = content;
  if (url === '') return null;
  if (isChartRegistry(url, kind))
    return (
      <p className="row soft" role="status">
        <Icon name="help" /> A registry does not list its charts: write the name and the version.
      </p>
    );
  if (isFetching && data === undefined)
    return (
      <p className="row soft" role="status">
        <Icon name="progress" isSpinning /> Asking the repository…
      </p>
    );
  if (error !== null)
    return (
      <Notice tone="bad">
        <strong>The repository could not be read.</strong> <bdi>{describeError(error)}</bdi>
        <p>{advise(error, kind)}</p>
        <div className="row form-retry">
          <Button icon="refresh" onClick={() => void refetch()}>
            Try again
          </Button>
          <AppLink to="/settings/repos" search={{ add: 'repository', url }}>
            {kind === 'oci' ? 'Register it' : 'Register it with credentials'}
          </AppLink>
        </div>
      </Notice>
    );
  if (data === undefined) return null;
  return (
    <p className="row soft" role="status" data-tone="good">
      <Icon name="check" /> {describe(data, kind)}
    </p>
  );
}

function describe({ branches, tags, charts }: RepositoryContent, kind: SourceKind): string {
  if (kind === 'helm') return `The repository answers: ${formatCount(charts.length, 'chart')}`;
  if (kind === 'oci') return `The repository answers: ${formatCount(tags.length, 'version')}`;
  return `The repository answers: ${formatCount(branches.length, 'branch', 'branches')}, ${formatCount(tags.length, 'tag')}`;
}

function advise(error: Error, kind: SourceKind): string {
  const text = error.message.toLowerCase();
  if (error instanceof CallError && error.code === callCodes.permissionDenied)
    return 'You may not look into this repository. You can go on and fill in the rest by hand; whoever manages access can let you look.';
  if (/authenti|credential|unauthorized|forbidden|401|403|could not read username|publickey|permission denied/.test(text))
    return 'It wants to know who asks. Register it with a user name and a token or key, then come back: what you have filled in stays here.';
  if (kind === 'oci' && text.includes('server gave http response'))
    return 'The registry speaks plain HTTP, not HTTPS. If it is meant to, register it with "Use HTTP instead of HTTPS", then come back: what you have filled in stays here.';
  if (/certificate|x509|host key|known_hosts/.test(text))
    return 'Its certificate or host key is not trusted here. Add it under Settings, then try again.';
  if (kind === 'helm' && /index|404|not found/.test(text))
    return 'There is no index of charts at this address. Check the address, or choose a folder in Git instead.';
  if (/not found|does not exist|resolve|no such|404|refused/.test(text))
    return 'Check that the address is spelt right and can be reached from the server. A private repository may also say that it does not exist.';
  return 'Check the address; if it is right, see whether the repository can be reached from the server.';
}
