import {
  createAuthenticate,
  createLogin,
  createPasswordCheck,
  createSessions,
  createSso,
  type CheckPassword,
  type ExplainedPolicy,
  type Login,
  type LoginAttempt,
  type Sessions,
  type Sso,
} from '../access/index.ts';
import { systemClock, type Logger } from '../base/index.ts';
import type { ObjectStore } from '../kube/index.ts';
import type { Authenticate } from '../server/index.ts';
import { createAccountStore, createLockouts, type Settings } from '../settings/index.ts';
import type { Home } from './home.ts';
import { createHomePolicy } from './home-policy.ts';
import { createProjectTokenCheck } from './project-tokens.ts';
import { readSsoSettings, warnOfDex } from './sso-settings.ts';

export interface AccessOptions {
  readonly home: Home;
  readonly settings: Settings;
  /** Of the home's own namespace. */
  readonly projects: ObjectStore;
  readonly log: Logger;
  readonly report: (attempt: LoginAttempt) => void;
}

/** Who is who, and who may do what. */
export interface Access {
  readonly sessions: Sessions;
  readonly sso: Sso;
  readonly login: Login;
  readonly checkPassword: CheckPassword;
  readonly policy: ExplainedPolicy;
  /** For the API, where settings may let in those who have no session. */
  readonly authenticate: Authenticate;
}

export function openAccess({ home, settings, projects, log, report }: AccessOptions): Access {
  const { api, namespace } = home;
  const accounts = createAccountStore(settings);
  const lockouts = createLockouts({ api, namespace, settings, clock: systemClock, log });
  const checkPassword = createPasswordCheck({ accounts, clock: systemClock, lockouts });
  const isProjectTokenIssued = createProjectTokenCheck(projects, namespace);
  const sso = createSso({ settings: readSsoSettings(settings), accounts, clock: systemClock, log });
  warnOfDex(settings, log);
  const sessions = createSessions({ accounts, isProjectTokenIssued, sso, clock: systemClock });
  return {
    sessions,
    sso,
    login: createLogin({ accounts, checkPassword, sessions, clock: systemClock, report }),
    checkPassword,
    policy: createHomePolicy({ settings, projects, namespace, log }),
    authenticate: createAuthenticate({ sessions, isAnonymousEnabled: () => settings.current.general.anonymousEnabled }),
  };
}
