import { expect, it } from 'vitest';
import type { Settings } from '../../settings/index.ts';
import { createRegistry } from './registry.ts';
import { createSettingsMetrics } from './settings-metrics.ts';

it('tells of settings that are not right for as long as they are not, and of those that cannot be followed', () => {
  const registry = createRegistry();
  const settings: { -readonly [Key in 'warnings' | 'trouble']: Settings[Key] } = { warnings: [], trouble: [] };
  createSettingsMetrics(registry, settings);
  const read = () =>
    registry
      .render()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
  expect(read()).toEqual(['fairway_settings_stale 0']);
  settings.warnings = [
    { object: 'argocd-cm', key: 'oidc.config', reason: 'bad' },
    { object: 'argocd-cm', key: 'urll', reason: 'not a key that we know' },
    { object: 'argocd-rbac-cm', key: '', reason: 'not there' },
  ];
  settings.trouble = [{ message: 'away' }] as unknown as Settings['trouble'];
  expect(read()).toEqual([
    'fairway_setting_warnings{object="argocd-cm"} 2',
    'fairway_setting_warnings{object="argocd-rbac-cm"} 1',
    'fairway_settings_stale 1',
  ]);
  settings.warnings = [];
  settings.trouble = [];
  expect(read()).toEqual(['fairway_settings_stale 0']);
});
