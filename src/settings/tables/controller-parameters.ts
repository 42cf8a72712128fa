/** The keys of `argocd-cmd-params-cm` about what works in the background. */
import { BadValue, type Parse } from '../parsing/bad-value.ts';
import { notNegative, parseGoDuration } from '../parsing/parse-duration.ts';
import { parseChoice, parseCommaList, parseGoBoolean, parseInteger, parseSeparated, parseText } from '../parsing/parse-text.ts';
import { setting, type Setting, type SettingUse } from '../setting-table.ts';

const duration = notNegative(parseGoDuration);

const parseBudget: Parse<string> = (text) => {
  const budget = text.trim();
  if (budget === '' || budget === 'none' || /^\d{1,6}%?$/.test(budget)) return budget;
  throw new BadValue('expected a number or a share such as 20%');
};
const parsePolicy = parseChoice(['', 'sync', 'create-only', 'create-update', 'create-delete']);
const secondsMax = 86_400 * 365;

const boolean = (key: string, fallback: boolean, doc: string, use: SettingUse = 'planned'): Setting<boolean> =>
  setting(key, { parse: parseGoBoolean(fallback), fallback, doc, use });
const count = (key: string, fallback: number, doc: string, use: SettingUse = 'planned'): Setting<number> =>
  setting(key, { parse: parseInteger({ min: 1, max: 10_000 }), fallback, doc, use });
const seconds = (key: string, fallback: number, doc: string, use: SettingUse = 'planned'): Setting<number> =>
  setting(key, { parse: parseInteger({ min: 0, max: secondsMax }), fallback, doc, use });

const size = (key: string, what: string): Setting<string> =>
  setting(key, {
    parse: parseText,
    fallback: '128Mi',
    doc: `How large ${what} may be unpacked, in memory: at most 2 GiB, also where it is 0.`,
    use: 'used',
  });

export const controllerParameters = {
  appsetNamespaces: setting('applicationsetcontroller.namespaces', {
    parse: parseCommaList,
    fallback: [],
    doc: 'In which other namespaces application sets may be, with commas. On a cluster, where there were none at the start, those set later count from the next start on.',
    use: 'used',
  }),
  appsetPolicy: setting('applicationsetcontroller.policy', {
    parse: (text, note) => parsePolicy(text.trim(), note),
    fallback: '',
    // What cannot be read must not be taken for leave to delete.
    whenBad: 'create-only',
    fallbackText: '`sync`',
    doc: 'What application sets may do to applications: `sync`, `create-only`, `create-update` or `create-delete`; `create-only` where it cannot be read.',
    use: 'used',
  }),
  appsetPolicyOverride: setting('applicationsetcontroller.enable.policy.override', {
    parse: (text, note) => (text === '' ? undefined : parseGoBoolean(false)(text, note)),
    fallback: undefined,
    fallbackText: 'on without a policy',
    doc: 'Whether an application set may choose another policy.',
    use: 'used',
  }),
  appsetTokenRefStrict: boolean(
    'applicationsetcontroller.enable.tokenref.strict.mode',
    false,
    'Only Secrets that are labelled for it may hold tokens for providers of repositories.',
    'used',
  ),
  appsetProgressiveSyncs: boolean(
    'applicationsetcontroller.enable.progressive.syncs',
    false,
    'Whether application sets may sync step by step.',
    'used',
  ),
  appsetConcurrency: count(
    'applicationsetcontroller.concurrent.reconciliations.max',
    10,
    'How many application sets are worked on at once; read at the start.',
    'used',
  ),
  appsetPreservedAnnotations: setting('applicationsetcontroller.global.preserved.annotations', {
    parse: parseCommaList,
    fallback: [],
    doc: 'Annotations of applications that application sets leave alone, with commas.',
    use: 'used',
  }),
  appsetPreservedLabels: setting('applicationsetcontroller.global.preserved.labels', {
    parse: parseCommaList,
    fallback: [],
    doc: 'Labels of applications that application sets leave alone, with commas.',
    use: 'used',
  }),
  appsetStatusResourcesMax: setting('applicationsetcontroller.status.max.resources.count', {
    parse: parseInteger({ min: 0, max: 1_000_000 }),
    fallback: 5_000,
    doc: 'How many applications the status of an application set lists.',
    use: 'used',
  }),
  appsetRequeueAfterMs: setting('applicationsetcontroller.requeue.after', {
    parse: duration,
    fallback: 180_000,
    fallbackText: '3m',
    doc: 'After how long an application set that asks elsewhere is looked at again.',
    use: 'used',
  }),
  appsetDeletionBudgetPercent: setting('applicationsetcontroller.deletion.budget.percent', {
    parse: parseInteger({ min: 0, max: 100 }),
    fallback: 100,
    doc: 'From which share on, in percent, the applications that generators no longer yield are deleted only when somebody confirms it; 0 means at once.',
    use: 'used',
  }),
  appsetMetricsLabels: setting('applicationsetcontroller.metrics.applicationset.labels', {
    parse: parseCommaList,
    fallback: [],
    doc: 'Which labels of application sets are in the metric `argocd_appset_labels`, with commas; read at the start.',
    use: 'used',
  }),
  appsetWebhookParallelism: count(
    'applicationsetcontroller.webhook.parallelism.limit',
    50,
    'How many webhooks for application sets are worked on at once.',
  ),
  appsetDryRun: boolean('applicationsetcontroller.dryrun', false, 'Application sets change nothing.', 'used'),
  statusProcessors: count('controller.status.processors', 20, 'How many applications are compared at once; read at the start.', 'used'),
  operationProcessors: count('controller.operation.processors', 10, 'How many applications are synced at once.'),
  applyParallelism: setting('controller.kubectl.parallelism.limit', {
    parse: parseInteger({ min: 0, max: 10_000 }),
    fallback: 20,
    doc: 'How many objects are applied at once; 0 means no limit.',
    use: 'used',
  }),
  selfHealSeconds: seconds('controller.self.heal.timeout.seconds', 0, 'How long healing waits, where the back-off below is switched off.'),
  selfHealBackOffSeconds: seconds(
    'controller.self.heal.backoff.timeout.seconds',
    2,
    'How long the second attempt to heal waits; 0 switches the back-off off.',
    'used',
  ),
  selfHealBackOffFactor: count('controller.self.heal.backoff.factor', 3, 'By how much each further attempt waits longer.', 'used'),
  selfHealBackOffCapSeconds: seconds('controller.self.heal.backoff.cap.seconds', 300, 'How long an attempt to heal waits at most.', 'used'),
  selfHealLoopLimit: setting('controller.self.heal.loop.limit', {
    parse: parseInteger({ min: 0, max: 1_000 }),
    fallback: 10,
    doc: 'How often within an hour a field is healed that somebody changes back each time, before healing pauses and says who it is; 0 means for ever.',
    use: 'used',
  }),
  metricsApplicationLabels: setting('controller.metrics.application.labels', {
    parse: parseCommaList,
    fallback: [],
    doc: 'Which labels of applications are in the metric `argocd_app_labels`, with commas; read at the start.',
    use: 'used',
  }),
  metricsApplicationConditions: setting('controller.metrics.application.conditions', {
    parse: parseCommaList,
    fallback: [],
    doc: 'Which types of conditions are in the metric `argocd_app_condition`, with commas; read at the start.',
    use: 'used',
  }),
  metricsClusterLabels: setting('controller.metrics.cluster.labels', {
    parse: parseCommaList,
    fallback: [],
    doc: 'Which labels of clusters are in the metric `argocd_cluster_labels`, with commas; read at the start.',
    use: 'used',
  }),
  deletionBudget: setting('controller.deletion.budget', {
    parse: parseBudget,
    fallback: '',
    doc: 'How much of an application automation may prune without asking, as a number of resources or a share such as `20%`; all but everything when empty. An annotation `fairway.dev/deletion-budget` of an application wins.',
    use: 'used',
  }),
  syncTimeoutSeconds: seconds('controller.sync.timeout.seconds', 0, 'How long a sync may take; 0 means no limit.', 'used'),
  syncWaveDelaySeconds: seconds('controller.sync.wave.delay.seconds', 2, 'How long a sync waits between two waves.'),
  serverSideDiff: boolean(
    'controller.diff.server.side',
    false,
    'Asks the cluster what applying would change, instead of working it out.',
    'used',
  ),
  healthPersisted: boolean('controller.resource.health.persist', false, 'Writes the health of each resource into the application.', 'used'),
  renderErrorGraceSeconds: seconds(
    'controller.repo.error.grace.period.seconds',
    180,
    'For how long an application is left as it is, and nothing is synced or healed, when its manifests cannot be rendered; then it says so. A refresh that somebody asks for says so at once.',
    'used',
  ),
  renderParallelism: setting('reposerver.parallelism.limit', {
    parse: parseInteger({ min: 0, max: 10_000 }),
    fallback: 0,
    doc: 'How many programs that render run at once; 0 means one for each processor, at least 2 and at most 8, and 8 questions to plugins. Read at the start.',
    use: 'used',
  }),
  directorySizeMax: setting('reposerver.max.combined.directory.manifests.size', {
    parse: parseText,
    fallback: '10M',
    doc: 'How large the manifests of a plain directory may be together.',
    use: 'used',
  }),
  outOfBoundsLinks: boolean(
    'reposerver.allow.oob.symlinks',
    false,
    'Whether links that lead out of a repository are left out, instead of refusing all of it.',
    'used',
  ),
  hiddenFoldersIncluded: boolean(
    'reposerver.include.hidden.directories',
    false,
    'Whether the git generator of application sets sees folders whose names begin with a dot.',
    'used',
  ),
  submodulesEnabled: boolean('reposerver.enable.git.submodule', true, 'Whether submodules of git are fetched.', 'used'),
  chartSizeMax: size('reposerver.helm.manifest.max.extracted.size', 'charts'),
  artifactSizeMax: size('reposerver.oci.manifest.max.extracted.size', 'artifacts of registries'),
  uploadSizeMax: size('reposerver.streamed.manifest.max.extracted.size', 'files that somebody sends to be rendered'),
  uploadArchiveSizeMax: setting('reposerver.streamed.manifest.max.tar.size', {
    parse: parseText,
    fallback: '100M',
    doc: 'How large such files may be packed.',
    use: 'used',
  }),
  pluginExclusions: setting('reposerver.plugin.tar.exclusions', {
    parse: parseSeparated(/;/),
    fallback: [],
    fallbackText: 'none',
    doc: 'Globs of the files that plugins are not sent, with semicolons.',
    use: 'used',
  }),
  pluginGeneratePaths: setting('reposerver.plugin.use.manifest.generate.paths', {
    parse: parseGoBoolean(false),
    fallback: false,
    doc: 'Sends plugins only what an application says that it is made from.',
    use: 'used',
  }),
  ociLayerTypes: setting('reposerver.oci.layer.media.types', {
    parse: parseSeparated(/,/),
    fallback: [
      'application/vnd.oci.image.layer.v1.tar',
      'application/vnd.oci.image.layer.v1.tar+gzip',
      'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
    ],
    fallbackText: 'tar and tar+gzip layers of images, and charts',
    doc: 'Media types of the layers that artifacts of registries may have, with commas.',
    use: 'used',
  }),
  gitTimeoutMs: setting('reposerver.git.request.timeout', {
    parse: duration,
    fallback: 15_000,
    fallbackText: '15s',
    doc: 'How long a server of git may take to list its refs.',
    use: 'used',
  }),
};

/**
 * Keys of installations with several processes: addresses, TLS, caches, logs and profiles of processes that Fairway does not have.
 * They are taken without a warning and have no effect.
 */
export const ignoredParameterPrefixes: readonly string[] = [
  'redis.',
  'otlp.',
  'repo.server',
  'commit.server',
  'commitserver.',
  'dexserver.',
  'notificationscontroller.',
  'log.format.timestamp',
  'controller.',
  'reposerver.',
  'applicationsetcontroller.',
  'server.k8s',
  'server.log.',
  'server.repo.server.',
  'server.dex.server.strict.tls',
  'server.default.cache.expiration',
  'server.profile.enabled',
  'server.disable.swagger.ui',
  'server.grpc.enable.txt.service.config',
];
