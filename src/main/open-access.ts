import {
  createAuthenticate,
  createLogin,
  createPasswordCheck,
  createSessions,
  type CheckPassword,
  type ExplainedPolicy,
  type Login,
  type LoginAttempt,
  type Sessions,
} from '../access/index.ts';
import { systemClock, type Logger } from '../base/index.ts';
import type { ObjectStore } from '../kube/index.ts';
import type { Authenticate } from '../server/index.ts';
import { createAccountStore, openLockouts, type Settings } from '../settings/index.ts';
import type { Home } from './home.ts';
import { createHomePolicy } from './home-policy.ts';
import { createProjectTokenCheck } from './project-tokens.ts';

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
  readonly login: Login;
  readonly checkPassword: CheckPassword;
  readonly policy: ExplainedPolicy;
  /** For the API, where settings may let in those who have no session. */
  readonly authenticate: Authenticate;
}

export async function openAccess({ home, settings, projects, log, report }: AccessOptions): Promise<Access> {
  const { api, namespace } = home;
  const accounts = createAccountStore(settings);
  const lockouts = await openLockouts({ api, namespace, clock: systemClock, log });
  const checkPassword = createPasswordCheck({ accounts, clock: systemClock, lockouts });
  const isProjectTokenIssued = createProjectTokenCheck(projects, namespace);
  const sessions = createSessions({ accounts, isProjectTokenIssued, clock: systemClock });
  return {
    sessions,
    login: createLogin({ accounts, checkPassword, sessions, clock: systemClock, report }),
    checkPassword,
    policy: createHomePolicy({ settings, projects, namespace, log }),
    authenticate: createAuthenticate({ sessions, isAnonymousEnabled: () => settings.current.general.anonymousEnabled }),
  };
}
