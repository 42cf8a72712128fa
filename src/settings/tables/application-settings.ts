/** The keys of `argocd-cm` about applications: how they are rendered, compared, tracked and synced. */
import type { Parse } from '../parsing/bad-value.ts';
import { notNegative, parseDurationWithDays, parseGoDuration } from '../parsing/parse-duration.ts';
import { parseChoice, parseCommaList, parseExactlyTrue, parseGoBoolean, parseText, parseUnlessFalse } from '../parsing/parse-text.ts';
import { quote } from '../parsing/bad-value.ts';
import { setting, settingFamily } from '../setting-table.ts';
import { overrideNames, parseOverrides, type ResourceOverride } from './resource-override.ts';
import {
  defaultCompareOptions,
  parseCompareOptions,
  parseGlobalProjects,
  parseIgnoreRules,
  parseKnownTypeFields,
  parseResourceActions,
  parseResourceFilters,
} from './shapes.ts';

const trackingMethods = ['annotation', 'label', 'annotation+label'] as const;
const noOverrides: ReadonlyMap<string, ResourceOverride> = new Map<string, ResourceOverride>();
const webSchemes: readonly string[] = Object.freeze(['https', 'http']);

/** An unknown method means the default, as it does to existing installations. */
const parseTrackingMethod: Parse<(typeof trackingMethods)[number]> = (text, note) => {
  const method = trackingMethods.find((one) => one === text);
  if (method === undefined && text !== '') note(`${quote(text)} is not a tracking method; annotation is in force`);
  return method ?? 'annotation';
};

const parseLabelKey: Parse<string> = (text) => (text === '' ? 'app.kubernetes.io/instance' : text);

export const applicationSettings = {
  instanceLabelKey: setting('application.instanceLabelKey', {
    parse: parseLabelKey,
    fallback: 'app.kubernetes.io/instance',
    doc: 'The label that carries the name of the application when objects are tracked by label.',
    use: 'used',
  }),
  trackingMethod: setting('application.resourceTrackingMethod', {
    parse: parseTrackingMethod,
    fallback: 'annotation',
    doc: 'How an object shows which application it belongs to: `annotation`, `label` or `annotation+label`.',
    use: 'used',
  }),
  installationId: setting('installationID', {
    parse: parseText,
    fallback: '',
    doc: 'Tells apart several installations that manage the same cluster.',
    use: 'used',
  }),
  allowedNodeLabels: setting('application.allowedNodeLabels', {
    use: 'used',
    parse: parseCommaList,
    fallback: [],
    doc: 'The labels of nodes that are shown with an application, with commas.',
  }),
  globalProjects: setting('globalProjects', {
    parse: parseGlobalProjects,
    fallback: [],
    doc: 'Projects whose rules others inherit: a YAML list of `projectName` and `labelSelector`.',
    use: 'used',
  }),
  customizations: setting('resource.customizations', {
    parse: parseOverrides,
    fallback: noOverrides,
    fallbackText: 'none',
    use: 'used',
    doc: 'How objects of a kind are judged and compared: a YAML map of `<group>/<Kind>`. The older form of the keys below.',
  }),
  customHealth: settingFamily('resource.customizations.health.<group_Kind>', {
    parse: parseText,
    names: overrideNames,
    use: 'used',
    doc: 'A Lua script that tells the health of a kind; `all` means every kind.',
  }),
  customUseOpenLibs: settingFamily('resource.customizations.useOpenLibs.<group_Kind>', {
    parse: parseGoBoolean(false),
    names: overrideNames,
    use: 'used',
    doc: 'Gives that script the standard libraries of Lua.',
  }),
  customActions: settingFamily('resource.customizations.actions.<group_Kind>', {
    parse: parseResourceActions,
    names: overrideNames,
    use: 'used',
    doc: 'Actions on a kind, as YAML: `discovery.lua`, `definitions`, `mergeBuiltinActions`.',
  }),
  customIgnoreDifferences: settingFamily('resource.customizations.ignoreDifferences.<group_Kind>', {
    parse: parseIgnoreRules,
    names: overrideNames,
    use: 'used',
    doc: 'What does not count as a difference, as YAML: `jsonPointers`, `jqPathExpressions`, `managedFieldsManagers`.',
  }),
  customIgnoreResourceUpdates: settingFamily('resource.customizations.ignoreResourceUpdates.<group_Kind>', {
    parse: parseIgnoreRules,
    names: overrideNames,
    use: 'used',
    doc: 'Which changes of an object are no reason to compare its application again, in the same form.',
  }),
  customKnownTypeFields: settingFamily('resource.customizations.knownTypeFields.<group_Kind>', {
    parse: parseKnownTypeFields,
    names: overrideNames,
    use: 'used',
    doc: 'Which fields of a custom resource are of a built-in type, as a YAML list of `field` and `type`.',
  }),
  resourceExclusions: setting('resource.exclusions', {
    parse: parseResourceFilters,
    fallback: [],
    doc: 'Kinds that are not looked at: a YAML list of `apiGroups`, `kinds` and `clusters`.',
    use: 'used',
  }),
  resourceInclusions: setting('resource.inclusions', {
    parse: parseResourceFilters,
    fallback: [],
    doc: 'The only kinds that are looked at, in the same form; exclusions win.',
    use: 'used',
  }),
  compareOptions: setting('resource.compareoptions', {
    parse: parseCompareOptions,
    fallback: defaultCompareOptions,
    doc: 'Options of every comparison, as YAML: `ignoreAggregatedRoles`, `ignoreResourceStatusField`, `ignoreDifferencesOnResourceUpdates`.',
    use: 'used',
  }),
  ignoreResourceUpdatesEnabled: setting('resource.ignoreResourceUpdatesEnabled', {
    parse: parseGoBoolean(true),
    fallback: true,
    use: 'used',
    doc: 'Whether changes that do not matter are ignored at all.',
  }),
  sensitiveAnnotations: setting('resource.sensitive.mask.annotations', {
    use: 'used',
    parse: parseCommaList,
    fallback: [],
    doc: 'Annotations of Secrets that are masked like their data, with commas.',
  }),
  customLabels: setting('resource.customLabels', {
    parse: parseCommaList,
    fallback: [],
    doc: 'Labels that are shown with each resource, with commas.',
    use: 'used',
  }),
  includeEventLabelKeys: setting('resource.includeEventLabelKeys', {
    parse: parseCommaList,
    fallback: [],
    doc: 'Labels of applications and projects that their events carry: patterns with commas.',
    use: 'used',
  }),
  excludeEventLabelKeys: setting('resource.excludeEventLabelKeys', {
    parse: parseCommaList,
    fallback: [],
    doc: 'Labels that events do not carry: patterns with commas.',
    use: 'used',
  }),
  respectRbac: setting('resource.respectRBAC', {
    parse: parseChoice(['', 'normal', 'strict']),
    fallback: '',
    doc: 'Does not watch kinds that a cluster refuses to list: `normal`, or `strict` to ask the cluster once more.',
    use: 'used',
  }),
  kustomizeEnabled: setting('kustomize.enable', {
    parse: parseExactlyTrue,
    fallback: true,
    use: 'used',
    doc: 'Whether Kustomize is used.',
  }),
  helmEnabled: setting('helm.enable', { parse: parseExactlyTrue, fallback: true, use: 'used', doc: 'Whether Helm is used.' }),
  jsonnetEnabled: setting('jsonnet.enable', { parse: parseExactlyTrue, fallback: true, use: 'used', doc: 'Whether Jsonnet is used.' }),
  kustomizeBuildOptions: setting('kustomize.buildOptions', {
    parse: parseText,
    fallback: '',
    use: 'used',
    doc: 'More options for `kustomize build`.',
  }),
  kustomizeBuildOptionsByVersion: settingFamily('kustomize.buildOptions.<version>', {
    parse: parseText,
    doc: 'The same for one version of Kustomize.',
  }),
  kustomizePaths: settingFamily('kustomize.path.<version>', {
    parse: parseText,
    use: 'used',
    doc: 'The program of one version of Kustomize.',
  }),
  kustomizeVersions: settingFamily('kustomize.version.<version>', {
    parse: parseText,
    use: 'used',
    doc: 'The older form of `kustomize.path.<version>`, which wins.',
  }),
  helmValuesFileSchemes: setting('helm.valuesFileSchemes', {
    parse: parseCommaList,
    fallback: webSchemes,
    doc: 'From which schemes of addresses Helm values may come, with commas; none when empty.',
    use: 'used',
  }),
  inClusterEnabled: setting('cluster.inClusterEnabled', {
    parse: parseUnlessFalse,
    fallback: true,
    doc: 'Whether applications may go to the cluster that Fairway lives in.',
    use: 'used',
  }),
  impersonationEnabled: setting('application.sync.impersonation.enabled', {
    parse: parseExactlyTrue,
    fallback: false,
    doc: 'Syncs as the service account that the project names for the destination.',
    use: 'used',
  }),
  impersonationEnforced: setting('application.sync.impersonation.enforced', {
    parse: parseUnlessFalse,
    fallback: true,
    doc: 'Refuses to sync where the project names none; without it, Fairway syncs as itself.',
    use: 'used',
  }),
  overrideNeededForRevision: setting('application.sync.requireOverridePrivilegeForRevisionSync', {
    parse: parseGoBoolean(false),
    fallback: false,
    doc: 'Syncing to another revision than the one in the application needs the action `override`.',
    use: 'used',
  }),
  reconciliationTimeoutMs: setting('timeout.reconciliation', {
    parse: notNegative(parseDurationWithDays),
    fallback: 120_000,
    fallbackText: '120s',
    doc: 'After how long an application is compared again without a reason; 0 means never.',
    use: 'used',
  }),
  reconciliationJitterMs: setting('timeout.reconciliation.jitter', {
    parse: notNegative(parseDurationWithDays),
    fallback: 60_000,
    fallbackText: '60s',
    doc: 'Up to how much is added to that, so that not all applications are due at once.',
    use: 'used',
  }),
  hardReconciliationTimeoutMs: setting('timeout.hard.reconciliation', {
    parse: notNegative(parseGoDuration),
    fallback: 0,
    fallbackText: '0s',
    doc: 'After how long manifests are rendered anew even though nothing changed; 0 means never.',
  }),
  commitAuthorName: setting('commit.author.name', { parse: parseText, fallback: 'Argo CD', doc: 'The author of hydrated commits.' }),
  commitAuthorEmail: setting('commit.author.email', {
    parse: parseText,
    fallback: 'argo-cd@example.com',
    doc: 'The e-mail address of that author.',
  }),
  hydratorCommitMessageTemplate: setting('sourceHydrator.commitMessageTemplate', {
    parse: parseText,
    fallback: '',
    fallbackText: 'the dry commit and its subject',
    doc: 'A template for the message of hydrated commits.',
  }),
  hydratorReadmeTemplate: setting('sourceHydrator.readmeMessageTemplate', {
    parse: parseText,
    fallback: '',
    fallbackText: 'built in',
    doc: 'A template for the README beside hydrated manifests.',
  }),
};
