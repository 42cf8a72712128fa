import { anonymousCaller } from '../../access/index.ts';
import type { Settings, SettingsService } from '../../contract/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { Sources } from '../../sources/index.ts';
import type { Call } from '../call.ts';
import { formatResourceOverrides } from './format-resource-overrides.ts';
import { formatSignOn } from './format-sign-on.ts';

/** The defaults of what cannot be configured yet. */
const fixedSettings: Settings = { googleAnalytics: { anonymizeUsers: true }, help: {} };

type Current = Pick<Snapshot, 'general' | 'parameters' | 'accounts' | 'oidc' | 'dex' | 'resourceOverrides'>;

export interface SettingsServiceOptions {
  readonly settings: { readonly current: Current };
  /** Of the control plane. */
  readonly namespace: string;
  /** Patterns of the other namespaces in which applications may be, as they are now. */
  readonly applicationNamespaces: () => readonly string[];
  readonly sources: Pick<Sources, 'plugins'>;
}

export function createSettingsService(options: SettingsServiceOptions): SettingsService<Call> {
  const { settings, namespace, applicationNamespaces, sources } = options;
  return {
    async Get(_request, call) {
      const { current } = settings;
      const appsInAnyNamespaceEnabled = applicationNamespaces().length > 0;
      const open = { ...openSettings(current), ...(appsInAnyNamespaceEnabled && { appsInAnyNamespaceEnabled }) };
      if (call.caller === undefined || call.caller === anonymousCaller) return open;
      // The rest is for those who are signed in.
      const { passwordPattern } = current.general;
      const { hydratorEnabled } = current.parameters;
      const resourceOverrides = formatResourceOverrides(current);
      return { ...open, passwordPattern, controllerNamespace: namespace, resourceOverrides, ...(hydratorEnabled && { hydratorEnabled }) };
    },
    async GetPlugins() {
      const names = await sources.plugins();
      return names.length === 0 ? {} : { plugins: names.map((name) => ({ name })) };
    },
  };
}

/** What anyone may read. Where programs are on this machine is not among it. */
function openSettings(current: Current): Settings {
  const { general, parameters, accounts } = current;
  const { instanceLabelKey: appLabelKey, trackingMethod, installationId, additionalUrls, impersonationEnabled } = general;
  const kustomizeVersions = [...new Set([...general.kustomizeVersions.keys(), ...general.kustomizePaths.keys()])].sort();
  const canSignIn = [...accounts.values()].some(({ enabled, capabilities }) => enabled && capabilities.includes('login'));
  return {
    ...fixedSettings,
    appLabelKey,
    trackingMethod,
    ...formatSignOn(current),
    ...(additionalUrls.length > 0 && { additionalUrls: [...additionalUrls] }),
    ...(installationId !== '' && { installationID: installationId }),
    kustomizeOptions: { BuildOptions: general.kustomizeBuildOptions, BinaryPath: '', Versions: [] },
    ...(kustomizeVersions.length > 0 && { kustomizeVersions }),
    ...(!canSignIn && { userLoginsDisabled: true }),
    ...(impersonationEnabled && { impersonationEnabled }),
    ...(parameters.syncReplaceAllowed && { syncWithReplaceAllowed: true }),
  };
}
