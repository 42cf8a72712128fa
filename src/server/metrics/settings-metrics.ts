import type { Settings } from '../../settings/index.ts';
import type { Registry } from './registry.ts';

/** What alerts need to know of settings: a warning is written to the log once, and may last for months. */
export function createSettingsMetrics(registry: Registry, settings: Pick<Settings, 'warnings' | 'trouble'>): void {
  registry.read({
    name: 'fairway_setting_warnings',
    help: 'What is not right in a ConfigMap or Secret of the settings, or is not in force; each is in the log.',
    type: 'gauge',
    label: 'object',
    value: () => {
      const counts = new Map<string, number>();
      for (const { object } of settings.warnings) counts.set(object, (counts.get(object) ?? 0) + 1);
      return counts;
    },
  });
  registry.read({
    name: 'fairway_settings_stale',
    help: '1 while changes of settings are not heard of, so that those from before are in force.',
    type: 'gauge',
    value: () => (settings.trouble.length > 0 ? 1 : 0),
  });
}
