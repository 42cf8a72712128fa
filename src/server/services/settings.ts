import { anonymousCaller } from '../../access/index.ts';
import type { Settings, SettingsService } from '../../contract/index.ts';
import type { Call } from '../call.ts';

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

export function createSettingsService(): SettingsService<Call> {
  return {
    Get: async (_request, call) =>
      call.caller === undefined || call.caller === anonymousCaller ? publicSettings : { ...publicSettings, ...privateSettings },
    GetPlugins: async () => ({}),
  };
}
