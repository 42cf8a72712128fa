import type { Clock, Logger } from '../base/index.ts';
import { createEventRecorder, type EventRecorder } from '../kube/index.ts';
import { matchesGlob } from '../model/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Home } from './home.ts';

export interface EventRecorderSurroundings {
  readonly home: Home;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What writes the events of this process: which ones is a matter of the environment, which labels they carry one of the settings. */
export function openEventRecorder({ home, settings, clock, log }: EventRecorderSurroundings): EventRecorder {
  const enabled = readEnabled(process.env['ARGOCD_ENABLE_K8S_EVENT']);
  return createEventRecorder({
    api: home.api,
    namespace: home.namespace,
    isEnabled: (reason) => home.readOnly !== true && (enabled === 'all' || enabled.has(reason)),
    labelsFor: (labels) => chooseLabels(labels, settings.current.general),
    clock,
    log,
  });
}

/** `all`, which is the default, `none`, or reasons with commas. */
function readEnabled(text = ''): 'all' | ReadonlySet<string> {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (words.length === 0 || words.includes('all')) return 'all';
  return new Set(words.filter((word) => word !== 'none'));
}

interface LabelPatterns {
  readonly includeEventLabelKeys: readonly string[];
  readonly excludeEventLabelKeys: readonly string[];
}

function chooseLabels(
  labels: Readonly<Record<string, string>>,
  { includeEventLabelKeys, excludeEventLabelKeys }: LabelPatterns,
): Readonly<Record<string, string>> {
  if (includeEventLabelKeys.length === 0) return {};
  const isOneOf = (patterns: readonly string[], key: string): boolean => patterns.some((pattern) => matchesGlob(pattern, key));
  return Object.fromEntries(
    Object.entries(labels).filter(([key]) => isOneOf(includeEventLabelKeys, key) && !isOneOf(excludeEventLabelKeys, key)),
  );
}
