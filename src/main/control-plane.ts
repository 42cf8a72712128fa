import type { Login, Policy, Sessions } from '../access/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import { createServices, type ServiceHandlers } from '../server/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Home } from './home.ts';

/** Something that runs beside the server. */
export interface Component {
  /** For the log. */
  readonly name: string;
  /** Called once, in the order of the list, before the server takes its first request. */
  start(): Promise<void> | void;
  /** Called once, in the opposite order, when the server has answered its last. */
  stop(): Promise<void> | void;
}

export interface ControlPlaneOptions {
  readonly home: Home;
  readonly settings: Settings;
  readonly login: Login;
  readonly sessions: Sessions;
  readonly policy: Policy;
  /** Patterns of the other namespaces in which applications may be, as they are now. */
  readonly applicationNamespaces: () => readonly string[];
  readonly applicationsetNamespaces: () => readonly string[];
  /** For caches: all that matters is in the home. */
  readonly dataDir: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ControlPlane {
  readonly components: readonly Component[];
  /** Handlers by full service name. */
  readonly services: Readonly<Record<string, ServiceHandlers>>;
}

/** What works on the home: controllers, and the services that clients call. Each is made here and handed what it needs. */
export function createControlPlane({ version, login, sessions, policy }: ControlPlaneOptions): ControlPlane {
  return {
    components: [],
    services: createServices({ version, login, sessions, policy }),
  };
}
