import type { Login, Policy, Sessions } from '../../access/index.ts';
import { methods, type ApplicationSetWatchQuery } from '../../contract/index.ts';
import type { Call } from '../call.ts';
import type { ServiceHandlers } from '../transports/core/method-table.ts';
import { createAccountService } from './account.ts';
import type { AccountServiceOptions } from './account-context.ts';
import type { ApplicationServiceOptions } from './application/application-context.ts';
import { auditCalls } from './audit-calls.ts';
import { createApplicationService } from './application/create-application-service.ts';
import type { ApplicationSetServiceOptions } from './applicationset/application-set-context.ts';
import { createApplicationSetService } from './applicationset/create-application-set-service.ts';
import { createCertificateService } from './certificate/create-certificate-service.ts';
import type { ClusterServiceOptions } from './cluster/cluster-context.ts';
import { createClusterService } from './cluster/create-cluster-service.ts';
import { createGpgkeyService } from './gpgkey/create-gpgkey-service.ts';
import { createNotificationService } from './notification.ts';
import { createProjectService } from './project/create-project-service.ts';
import { createRepocredsService } from './repocreds/create-repocreds-service.ts';
import { createRepositoryService } from './repository/create-repository-service.ts';
import { renewSessions, renewUserInfo } from './renew-sessions.ts';
import { createSessionService } from './session.ts';
import { createSettingsService } from './settings.ts';
import { createVersionService } from './version.ts';

export interface ServicesOptions {
  readonly version: string;
  readonly login: Login;
  readonly sessions: Sessions;
  readonly policy: Policy;
  readonly account: Omit<AccountServiceOptions, 'policy' | 'sessions'>;
  readonly cluster: Omit<ClusterServiceOptions, 'policy'>;
  /** Also for the projects of applications, and for repositories. */
  readonly application: ApplicationServiceOptions;
  readonly applicationSet: ApplicationSetServiceOptions;
  /** Patterns of the other namespaces in which applications may be, as they are now. */
  readonly applicationNamespaces: () => readonly string[];
}

/** The services by full name. */
export function createServices({
  version,
  login,
  sessions,
  policy,
  account,
  cluster,
  application,
  applicationSet,
  applicationNamespaces,
}: ServicesOptions): Record<string, ServiceHandlers> {
  // A stream that lasts has nothing to carry a new token with.
  const { Watch, WatchResourceTree, PodLogs, ...applicationCalls } = createApplicationService(application);
  const applicationSets = createApplicationSetService(applicationSet);
  const services = {
    'version.VersionService': renewSessions(createVersionService(version), sessions),
    'cluster.SettingsService': renewSessions(
      createSettingsService({
        settings: account.settings,
        namespace: application.namespace,
        applicationNamespaces,
        sources: application.sources,
      }),
      sessions,
    ),
    'account.AccountService': renewSessions(createAccountService({ ...account, policy, sessions }), sessions),
    'cluster.ClusterService': renewSessions(createClusterService({ ...cluster, policy }), sessions),
    'application.ApplicationService': { ...renewSessions(applicationCalls, sessions), Watch, WatchResourceTree, PodLogs },
    'applicationset.ApplicationSetService': {
      ...renewSessions(applicationSets, sessions),
      Watch: (request: ApplicationSetWatchQuery, call: Call) => applicationSets.Watch(request, call),
    },
    'project.ProjectService': renewSessions(createProjectService({ ...application, sessions }), sessions),
    'repository.RepositoryService': renewSessions(createRepositoryService(application), sessions),
    'repocreds.RepoCredsService': renewSessions(createRepocredsService(application), sessions),
    'certificate.CertificateService': renewSessions(createCertificateService(application), sessions),
    'gpgkey.GPGKeyService': renewSessions(createGpgkeyService(application), sessions),
    'notification.NotificationService': renewSessions(createNotificationService(application), sessions),
    'session.SessionService': renewUserInfo(createSessionService({ login, sessions }), sessions),
  };
  return auditCalls(services, application.log);
}

/** What answers also those who are not signed in: how to sign in, and what a client asks before it does. */
export const publicMethods: ReadonlySet<string> = new Set(
  methods
    .filter(
      ({ service, path }) =>
        service === 'session.SessionService' || service === 'version.VersionService' || path === '/cluster.SettingsService/Get',
    )
    .map(({ path }) => path),
);
