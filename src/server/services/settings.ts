import { anonymousCaller } from '../../access/index.ts';
import type { Settings, SettingsService } from '../../contract/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { Sources } from '../../sources/index.ts';
import type { Call } from '../call.ts';
import { formatResourceOverrides } from './format-resource-overrides.ts';
import { formatSignOn } from './format-sign-on.ts';

/** The defaults of what cannot be configured yet. Anyone may read these. */
const publicSettings: Settings = {
  googleAnalytics: { anonymizeUsers: true },
  kustomizeOptions: { BuildOptions: '', BinaryPath: '', Versions: [] },
  help: {},
  syncWithReplaceAllowed: true,
};

export interface SettingsServiceOptions {
  readonly settings: { readonly current: Pick<Snapshot, 'general' | 'parameters' | 'oidc' | 'dex' | 'resourceOverrides'> };
  /** Of the control plane. */
  readonly namespace: string;
  readonly sources: Pick<Sources, 'plugins'>;
}

export function createSettingsService({ settings, namespace, sources }: SettingsServiceOptions): SettingsService<Call> {
  return {
    async Get(_request, call) {
      const { current } = settings;
      const { instanceLabelKey: appLabelKey, trackingMethod } = current.general;
      const open = { ...publicSettings, appLabelKey, trackingMethod, ...formatSignOn(current) };
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
