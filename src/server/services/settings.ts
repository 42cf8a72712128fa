import { anonymousCaller } from '../../access/index.ts';
import type { Settings, SettingsService } from '../../contract/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { Call } from '../call.ts';
import { formatSignOn } from './format-sign-on.ts';

/** The defaults of what cannot be configured yet. Anyone may read these. */
const publicSettings: Settings = {
  appLabelKey: 'app.kubernetes.io/instance',
  trackingMethod: 'annotation',
  googleAnalytics: { anonymizeUsers: true },
  kustomizeOptions: { BuildOptions: '', BinaryPath: '', Versions: [] },
  help: {},
  syncWithReplaceAllowed: true,
};

/** What only someone who is signed in may read. */
const privateSettings: Settings = {
  passwordPattern: '^.{8,32}$',
  controllerNamespace: 'argocd',
  resourceOverrides: {
    // Controllers write the status of an object, so a difference there is not one between Git and the cluster.
    '*/*': { ignoreDifferences: { jsonPointers: ['/status'], jqPathExpressions: [], managedFieldsManagers: [] } },
  },
};

export interface SettingsServiceOptions {
  readonly settings: { readonly current: Pick<Snapshot, 'general' | 'oidc' | 'dex'> };
}

export function createSettingsService({ settings }: SettingsServiceOptions): SettingsService<Call> {
  return {
    async Get(_request, call) {
      const open = { ...publicSettings, ...formatSignOn(settings.current) };
      return call.caller === undefined || call.caller === anonymousCaller ? open : { ...open, ...privateSettings };
    },
    GetPlugins: async () => ({}),
  };
}
