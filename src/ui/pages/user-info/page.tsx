import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, useUser } from '../../api/index.ts';
import { Badge, Button, Copy, ErrorState, ExternalLink } from '../../design/index.ts';
import './user-info.css';

/** Who is signed in, and what runs here. */
export function Page(): ReactElement {
  return (
    <>
      <header className="page-head">
        <h1>User info</h1>
        <Button icon="signOut" onClick={() => window.location.assign('/auth/logout')}>
          Sign out
        </Button>
      </header>
      <div className="page-body user-info">
        <User />
        <Version />
      </div>
    </>
  );
}

function User(): ReactElement {
  const user = useUser();
  const groups = user?.groups ?? [];
  return (
    <section className="card user-info-card">
      <h2>{user?.loggedIn === true ? 'You are signed in' : 'You are not signed in'}</h2>
      <dl className="facts">
        <dt>User name</dt>
        <dd>{user?.username ?? '—'}</dd>
        <dt>Known through</dt>
        <dd>{user?.iss === 'argocd' ? 'an account of this server' : <ExternalLink href={user?.iss}>{user?.iss ?? '—'}</ExternalLink>}</dd>
        <dt>Groups</dt>
        <dd>
          {groups.length === 0 ? (
            <span className="soft">none</span>
          ) : (
            <span className="user-info-groups">
              {groups.map((group) => (
                <Badge key={group}>{group}</Badge>
              ))}
            </span>
          )}
        </dd>
      </dl>
    </section>
  );
}

function Version(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['version'],
    queryFn: ({ signal }) => api.VersionService.Version({}, { signal }),
  });
  if (error !== null) return <ErrorState error={error} what="The version could not be read" onRetry={() => void refetch()} />;
  const [apiVersion = '', own = ''] = (data?.Version ?? '').split('+fairway.');
  return (
    <section className="card user-info-card">
      <h2>Version</h2>
      <dl className="facts">
        <dt>Fairway</dt>
        <dd>
          {own} <Copy text={data?.Version ?? ''} label="Copy the version" />
        </dd>
        <dt>Speaks the API of</dt>
        <dd>Argo CD {apiVersion}</dd>
        <dt>Runs on</dt>
        <dd>{[data?.Platform, data?.ExtraBuildInfo?.replace(/^.*, /, '')].filter(Boolean).join(', ') || '—'}</dd>
      </dl>
    </section>
  );
}
