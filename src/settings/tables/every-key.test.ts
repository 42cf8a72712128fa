import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { readTable, type TableReading } from '../read-table.ts';
import { Sealed } from '../sealed.ts';
import type { SettingTable } from '../setting-table.ts';
import { generalTable } from './general-settings.ts';
import { parameterTable } from './parameter-settings.ts';
import { rbacTable } from './rbac-settings.ts';
import { secretTable } from './secret-settings.ts';

/** The key as written, a good text, what it means, and a text that is refused; undefined where every text is good. */
type Case = readonly [key: string, good: string, value: unknown, bad: string | undefined];

const hash = '$2a$10$p2D1mQ04igBRj/Z5DUgg7eVjQk.Fd2pranHNeoDhtrtNTF3cJlvgG';
const rules = { jsonPointers: ['/spec/replicas'], jqPathExpressions: [], managedFieldsManagers: [] };
const link = { url: 'https://x', title: 'X', description: undefined, 'icon.class': undefined, if: undefined };
const filter = [{ apiGroups: ['a'], kinds: ['B'], clusters: [] }];

const generalCases: Readonly<Record<keyof typeof generalTable, Case>> = {
  url: ['url', 'https://cd.example.com', 'https://cd.example.com', 'cd.example.com'],
  additionalUrls: ['additionalUrls', '- https://a.example.com\n- http://b', ['https://a.example.com', 'http://b'], '- ftp://x'],
  dexConfig: [
    'dex.config',
    'connectors: [{id: a, name: A, type: github}]',
    { connectors: [{ id: 'a', name: 'A', type: 'github' }] },
    'connectors: 5',
  ],
  oidcConfig: ['oidc.config', 'issuer: https://i\nclientID: c', { issuer: 'https://i', clientID: 'c' }, 'issuer: https://i'],
  oidcTlsInsecure: ['oidc.tls.insecure.skip.verify', 'true', true, undefined],
  adminEnabled: ['admin.enabled', 'F', false, 'no'],
  accountCapabilities: ['accounts.alice', 'login, apiKey', ['login', 'apiKey'], undefined],
  accountEnabled: ['accounts.alice.enabled', 'false', false, 'nope'],
  anonymousEnabled: ['users.anonymous.enabled', 'true', true, undefined],
  sessionDurationMs: ['users.session.duration', '7d', 604_800_000, 'soon'],
  passwordPattern: ['passwordPattern', '^.{12,}$', '^.{12,}$', '('],
  statusBadgeEnabled: ['statusbadge.enabled', 'true', true, undefined],
  statusBadgeUrl: ['statusbadge.url', 'https://b', 'https://b', 'b'],
  analyticsTrackingId: ['ga.trackingid', 'G-1', 'G-1', undefined],
  analyticsAnonymizeUsers: ['ga.anonymizeusers', 'false', false, undefined],
  helpChatUrl: ['help.chatUrl', 'https://c', 'https://c', 'javascript:alert(1)'],
  helpChatText: ['help.chatText', 'Ask', 'Ask', undefined],
  helpDownloads: ['help.download.linux-amd64', '/download/x', '/download/x', undefined],
  uiCssUrl: ['ui.cssurl', './my.css', './my.css', undefined],
  uiBannerContent: ['ui.bannercontent', 'Hi', 'Hi', undefined],
  uiBannerUrl: ['ui.bannerurl', 'https://d', 'https://d', 'data:x'],
  uiBannerPermanent: ['ui.bannerpermanent', 'true', true, undefined],
  uiBannerPosition: ['ui.bannerposition', 'both', 'both', 'left'],
  applicationLinks: ['application.links', '- {url: https://x, title: X}', [link], '- {title: X}'],
  projectLinks: ['project.links', '- {url: https://x, title: X, if: a}', [{ ...link, if: 'a' }], 'x'],
  resourceLinks: ['resource.links', '- {url: https://x, title: X, icon.class: fa}', [{ ...link, 'icon.class': 'fa' }], '[5]'],
  extension: ['extension.config', 'extensions: []', { extensions: [] }, '- x'],
  extensions: ['extension.config.one', 'a: $b', { a: '$b' }, '5'],
  maxPodLogsToRender: ['server.maxPodLogsToRender', '3', 3, '3.5'],
  fineGrainedInheritanceDisabled: ['server.rbac.disableApplicationFineGrainedRBACInheritance', 'false', false, 'x'],
  execEnabled: ['exec.enabled', 'true', true, undefined],
  execShells: ['exec.shells', 'zsh, sh', ['zsh', 'sh'], undefined],
  webhookPayloadMegabytesMax: ['webhook.maxPayloadSizeMB', '5', 5, '0'],
  webhookRefreshJitterMs: ['webhook.refresh.jitter', '10s', 10_000, '-1s'],
  webhookRefreshJitterThreshold: ['webhook.refresh.jitter.threshold', '4', 4, '-4'],
  instanceLabelKey: ['application.instanceLabelKey', 'x/y', 'x/y', undefined],
  trackingMethod: ['application.resourceTrackingMethod', 'annotation+label', 'annotation+label', undefined],
  installationId: ['installationID', 'one', 'one', undefined],
  allowedNodeLabels: ['application.allowedNodeLabels', 'a, b,', ['a', 'b'], undefined],
  globalProjects: [
    'globalProjects',
    '- {projectName: g, labelSelector: {matchLabels: {a: b}}}',
    [{ projectName: 'g', labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [] } }],
    '- {labelSelector: {}}',
  ],
  customizations: [
    'resource.customizations',
    'apps/Deployment:\n  health.lua: x\n  ignoreDifferences: |\n    jsonPointers: [/spec/replicas]',
    new Map([
      [
        'apps/Deployment',
        {
          healthLua: 'x',
          useOpenLibs: false,
          actions: undefined,
          ignoreDifferences: rules,
          ignoreResourceUpdates: undefined,
          knownTypeFields: [],
        },
      ],
    ]),
    'apps/Deployment: {ignoreDifferences: "jsonPointers: 5"}',
  ],
  customHealth: ['resource.customizations.health.apps_Deployment', 'return 1', 'return 1', undefined],
  customUseOpenLibs: ['resource.customizations.useOpenLibs.apps_Deployment', 'true', true, 'x'],
  customActions: [
    'resource.customizations.actions.cert-manager.io_Certificate',
    'discovery.lua: d\ndefinitions: [{name: 5, action.lua: a}]',
    { 'discovery.lua': 'd', definitions: [{ name: '5', 'action.lua': 'a' }], mergeBuiltinActions: false },
    'definitions: [{action.lua: a}]',
  ],
  customIgnoreDifferences: ['resource.customizations.ignoreDifferences.all', 'jsonPointers: [/spec/replicas]', rules, '[]'],
  customIgnoreResourceUpdates: [
    'resource.customizations.ignoreResourceUpdates.ConfigMap',
    'jsonPointers: [/spec/replicas]',
    rules,
    'jsonPointers: x',
  ],
  customKnownTypeFields: [
    'resource.customizations.knownTypeFields.x.io_Y',
    '[{field: a.b, type: core/v1/PodSpec}]',
    [{ field: 'a.b', type: 'core/v1/PodSpec' }],
    '[{field: a.b}]',
  ],
  resourceExclusions: ['resource.exclusions', '[{apiGroups: [a], kinds: [B]}]', filter, 'kinds: [B]'],
  resourceInclusions: ['resource.inclusions', '[{apiGroups: [a], kinds: [B]}]', filter, '[{kinds: B}]'],
  compareOptions: [
    'resource.compareoptions',
    'ignoreAggregatedRoles: true\nignoreResourceStatusField: off',
    { ignoreAggregatedRoles: true, ignoreResourceStatusField: 'none', ignoreDifferencesOnResourceUpdates: true },
    'ignoreResourceStatusField: some',
  ],
  ignoreResourceUpdatesEnabled: ['resource.ignoreResourceUpdatesEnabled', 'false', false, 'x'],
  sensitiveAnnotations: ['resource.sensitive.mask.annotations', 'a,b', ['a', 'b'], undefined],
  customLabels: ['resource.customLabels', 'tier', ['tier'], undefined],
  includeEventLabelKeys: ['resource.includeEventLabelKeys', 'team,env*', ['team', 'env*'], undefined],
  excludeEventLabelKeys: ['resource.excludeEventLabelKeys', 'a', ['a'], undefined],
  respectRbac: ['resource.respectRBAC', 'strict', 'strict', 'loose'],
  kustomizeEnabled: ['kustomize.enable', 'no', false, undefined],
  helmEnabled: ['helm.enable', 'false', false, undefined],
  jsonnetEnabled: ['jsonnet.enable', 'False', false, undefined],
  kustomizeBuildOptions: ['kustomize.buildOptions', '--enable-helm', '--enable-helm', undefined],
  kustomizeBuildOptionsByVersion: ['kustomize.buildOptions.v4.0.0', '-x', '-x', undefined],
  kustomizePaths: ['kustomize.path.v4.0.0', '/k4', '/k4', undefined],
  kustomizeVersions: ['kustomize.version.v3', '/k3', '/k3', undefined],
  helmValuesFileSchemes: ['helm.valuesFileSchemes', '', [], undefined],
  inClusterEnabled: ['cluster.inClusterEnabled', 'false', false, undefined],
  impersonationEnabled: ['application.sync.impersonation.enabled', 'true', true, undefined],
  impersonationEnforced: ['application.sync.impersonation.enforced', 'false', false, undefined],
  overrideNeededForRevision: ['application.sync.requireOverridePrivilegeForRevisionSync', 'true', true, 'x'],
  reconciliationTimeoutMs: ['timeout.reconciliation', '3m', 180_000, '3'],
  reconciliationJitterMs: ['timeout.reconciliation.jitter', '0', 0, 'x'],
  hardReconciliationTimeoutMs: ['timeout.hard.reconciliation', '1h', 3_600_000, '1d'],
  commitAuthorName: ['commit.author.name', 'Bot', 'Bot', undefined],
  commitAuthorEmail: ['commit.author.email', 'b@example.com', 'b@example.com', undefined],
  hydratorCommitMessageTemplate: ['sourceHydrator.commitMessageTemplate', 'x', 'x', undefined],
  hydratorReadmeTemplate: ['sourceHydrator.readmeMessageTemplate', 'y', 'y', undefined],
};

const rbacCases: Readonly<Record<keyof typeof rbacTable, Case>> = {
  policy: [
    'policy.csv',
    '# all\np, role:x, applications, get, */*, allow\n\ng, "a, b", role:x',
    '# all\np, role:x, applications, get, */*, allow\n\ng, "a, b", role:x',
    'p, a, b, deny',
  ],
  morePolicies: ['policy.team.csv', 'g, a, role:x', 'g, a, role:x', 'x, a, b, deny'],
  defaultRole: ['policy.default', 'role:readonly', 'role:readonly', undefined],
  matchMode: ['policy.matchMode', 'regex', 'regex', 'exact'],
  scopes: ['scopes', '[groups, email]', ['groups', 'email'], 'groups: x'],
};

const parameterCases: Readonly<Record<keyof typeof parameterTable, Case>> = {
  insecure: ['server.insecure', 'true', true, 'on'],
  baseHref: ['server.basehref', 'argo/cd/', '/argo/cd', 'a b'],
  rootPath: ['server.rootpath', '/x', '/x', '/x?y'],
  authDisabled: ['server.disable.auth', '1', true, 'yes'],
  gzipEnabled: ['server.enable.gzip', 'false', false, 'x'],
  contentTypes: ['server.api.content.types', 'application/json;text/x', ['application/json', 'text/x'], undefined],
  frameOptions: ['server.x.frame.options', '', '', undefined],
  contentSecurityPolicy: ['server.content.security.policy', "default-src 'self'", "default-src 'self'", undefined],
  cookiesMax: ['server.http.cookie.maxnumber', '5', 5, '0'],
  listenAddress: ['server.listen.address', '127.0.0.1', '127.0.0.1', undefined],
  metricsListenAddress: ['server.metrics.listen.address', '127.0.0.1', '127.0.0.1', undefined],
  staticAssets: ['server.staticassets', '/x', '/x', undefined],
  dexServer: ['server.dex.server', 'https://dex', 'https://dex', undefined],
  dexServerPlaintext: ['server.dex.server.plaintext', 'true', true, 'x'],
  tlsMinVersion: ['server.tls.minversion', '1.3', '1.3', '2'],
  tlsMaxVersion: ['server.tls.maxversion', '1.2', '1.2', 'TLSv1.2'],
  tlsCiphers: ['server.tls.ciphers', 'A:B', ['A', 'B'], undefined],
  connectionStatusCacheMs: ['server.connection.status.cache.expiration', '2h', 7_200_000, '2'],
  oidcCacheMs: ['server.oidc.cache.expiration', '1m', 60_000, 'x'],
  appStateCacheMs: ['server.app.state.cache.expiration', '1s', 1_000, 'x'],
  proxyExtensionEnabled: ['server.enable.proxy.extension', 'true', true, 'x'],
  webhookParallelism: ['server.webhook.parallelism.limit', '5', 5, '0'],
  webhookRefreshWorkers: ['server.webhook.refresh.workers', '6', 6, 'x'],
  globCacheSize: ['server.glob.cache.size', '0', 0, '-1'],
  syncReplaceAllowed: ['server.sync.replace.allowed', 'false', false, 'x'],
  renderTimeoutSeconds: ['server.repo.server.timeout.seconds', '90', 90, '90s'],
  applicationNamespaces: ['application.namespaces', 'team-*, /x-[0-9]/', ['team-*', '/x-[0-9]/'], undefined],
  hydratorEnabled: ['hydrator.enabled', 'true', true, 'x'],
  appsetScmEnabled: ['applicationsetcontroller.enable.scm.providers', 'false', false, 'x'],
  appsetScmAllowed: ['applicationsetcontroller.allowed.scm.providers', 'https://a/,https://b/', ['https://a/', 'https://b/'], undefined],
  appsetScmRootCaPath: ['applicationsetcontroller.scm.root.ca.path', '/ca', '/ca', undefined],
  appsetNewGlobbing: ['applicationsetcontroller.enable.new.git.file.globbing', 'true', true, 'x'],
  appsetNamespaces: ['applicationsetcontroller.namespaces', 'a,b', ['a', 'b'], undefined],
  appsetPolicy: ['applicationsetcontroller.policy', 'create-only', 'create-only', 'delete'],
  appsetPolicyOverride: ['applicationsetcontroller.enable.policy.override', 'false', false, 'x'],
  appsetTokenRefStrict: ['applicationsetcontroller.enable.tokenref.strict.mode', 'true', true, 'x'],
  appsetProgressiveSyncs: ['applicationsetcontroller.enable.progressive.syncs', 'true', true, 'x'],
  appsetConcurrency: ['applicationsetcontroller.concurrent.reconciliations.max', '3', 3, '0'],
  appsetPreservedAnnotations: ['applicationsetcontroller.global.preserved.annotations', 'a', ['a'], undefined],
  appsetPreservedLabels: ['applicationsetcontroller.global.preserved.labels', 'b', ['b'], undefined],
  appsetStatusResourcesMax: ['applicationsetcontroller.status.max.resources.count', '7', 7, 'x'],
  appsetRequeueAfterMs: ['applicationsetcontroller.requeue.after', '5m', 300_000, 'x'],
  appsetWebhookParallelism: ['applicationsetcontroller.webhook.parallelism.limit', '4', 4, 'x'],
  appsetDeletionBudgetPercent: ['applicationsetcontroller.deletion.budget.percent', '50', 50, '101'],
  appsetMetricsLabels: ['applicationsetcontroller.metrics.applicationset.labels', 'team,tier', ['team', 'tier'], undefined],
  appsetDryRun: ['applicationsetcontroller.dryrun', 'true', true, 'x'],
  statusProcessors: ['controller.status.processors', '40', 40, '0'],
  operationProcessors: ['controller.operation.processors', '20', 20, 'x'],
  applyParallelism: ['controller.kubectl.parallelism.limit', '0', 0, 'x'],
  selfHealSeconds: ['controller.self.heal.timeout.seconds', '5', 5, 'x'],
  selfHealBackOffSeconds: ['controller.self.heal.backoff.timeout.seconds', '0', 0, 'x'],
  selfHealBackOffFactor: ['controller.self.heal.backoff.factor', '2', 2, 'x'],
  metricsApplicationLabels: ['controller.metrics.application.labels', 'team,tier', ['team', 'tier'], undefined],
  metricsApplicationConditions: ['controller.metrics.application.conditions', 'SyncError', ['SyncError'], undefined],
  metricsClusterLabels: ['controller.metrics.cluster.labels', 'zone', ['zone'], undefined],
  selfHealLoopLimit: ['controller.self.heal.loop.limit', '3', 3, 'x'],
  deletionBudget: ['controller.deletion.budget', '20%', '20%', 'many'],
  selfHealBackOffCapSeconds: ['controller.self.heal.backoff.cap.seconds', '60', 60, 'x'],
  syncTimeoutSeconds: ['controller.sync.timeout.seconds', '600', 600, 'x'],
  syncWaveDelaySeconds: ['controller.sync.wave.delay.seconds', '0', 0, 'x'],
  serverSideDiff: ['controller.diff.server.side', 'true', true, 'x'],
  healthPersisted: ['controller.resource.health.persist', 'true', true, 'x'],
  renderErrorGraceSeconds: ['controller.repo.error.grace.period.seconds', '1', 1, 'x'],
  renderParallelism: ['reposerver.parallelism.limit', '4', 4, 'x'],
  directorySizeMax: ['reposerver.max.combined.directory.manifests.size', '5M', '5M', undefined],
  hiddenFoldersIncluded: ['reposerver.include.hidden.directories', 'true', true, 'x'],
  outOfBoundsLinks: ['reposerver.allow.oob.symlinks', 'true', true, 'x'],
  chartSizeMax: ['reposerver.helm.manifest.max.extracted.size', '1G', '1G', undefined],
  artifactSizeMax: ['reposerver.oci.manifest.max.extracted.size', '1G', '1G', undefined],
  uploadSizeMax: ['reposerver.streamed.manifest.max.extracted.size', '1G', '1G', undefined],
  uploadArchiveSizeMax: ['reposerver.streamed.manifest.max.tar.size', '50M', '50M', undefined],
  submodulesEnabled: ['reposerver.enable.git.submodule', 'false', false, 'x'],
  pluginExclusions: ['reposerver.plugin.tar.exclusions', '.git/*; big', ['.git/*', 'big'], undefined],
  pluginGeneratePaths: ['reposerver.plugin.use.manifest.generate.paths', 'true', true, 'x'],
  ociLayerTypes: ['reposerver.oci.layer.media.types', 'a/b, c/d', ['a/b', 'c/d'], undefined],
  gitTimeoutMs: ['reposerver.git.request.timeout', '30s', 30_000, 'x'],
};

const secretCases: Readonly<Record<keyof typeof secretTable, Case>> = {
  signingKey: ['server.secretkey', 'k'.repeat(44), new Uint8Array(Buffer.from('k'.repeat(44))), undefined],
  tlsCertificate: ['tls.crt', 'PEM', 'PEM', undefined],
  tlsKey: ['tls.key', 'PEM', 'PEM', undefined],
  adminPassword: ['admin.password', hash, hash, 'hunter2'],
  adminPasswordMtime: ['admin.passwordMtime', '2024-01-02T03:04:05Z', 1_704_164_645, 'yesterday'],
  adminTokens: [
    'admin.tokens',
    '[{"id":"a","iat":1,"exp":2},{"id":"b","iat":3}]',
    [
      { id: 'a', issuedAt: 1, expiresAt: 2 },
      { id: 'b', issuedAt: 3, expiresAt: undefined },
    ],
    '[{"id":5}]',
  ],
  accountPasswords: ['accounts.alice.password', hash, hash, 'hunter2'],
  accountPasswordMtimes: ['accounts.alice.passwordMtime', '2024-01-02T03:04:05+01:00', 1_704_161_045, '5'],
  accountTokens: ['accounts.alice.tokens', '[]', [], '{'],
  webhookGithub: ['webhook.github.secret', 'g', 'g', undefined],
  webhookGitlab: ['webhook.gitlab.secret', 'g', 'g', undefined],
  webhookBitbucket: ['webhook.bitbucket.uuid', 'g', 'g', undefined],
  webhookBitbucketServer: ['webhook.bitbucketserver.secret', 'g', 'g', undefined],
  webhookGogs: ['webhook.gogs.secret', 'g', 'g', undefined],
  webhookAzureUsername: ['webhook.azuredevops.username', 'g', 'g', undefined],
  webhookAzurePassword: ['webhook.azuredevops.password', 'g', 'g', undefined],
};

const tables: readonly (readonly [object: string, table: SettingTable, cases: Readonly<Record<string, Case>>])[] = [
  ['argocd-cm', generalTable, generalCases],
  ['argocd-rbac-cm', rbacTable, rbacCases],
  ['argocd-cmd-params-cm', parameterTable, parameterCases],
  ['argocd-secret', secretTable, secretCases],
];

describe.each(tables)('%s', (object, table, cases) => {
  const read = (data: Readonly<Record<string, string>>, previous?: TableReading<SettingTable>): TableReading<SettingTable> =>
    readTable<SettingTable>({ table, object, data: new Map(Object.entries(data)), previous });
  const valueOf = (reading: TableReading<SettingTable>, field: string, key: string): unknown => {
    const entry = table[field];
    const value: unknown = reading.values[field];
    if (entry?.kind !== 'many' || !(value instanceof Map)) return unseal(value);
    const [before = '', after = ''] = entry.key.split(/<[^>]+>/);
    return unseal(value.get(key.slice(before.length, key.length - after.length)));
  };

  describe.each(Object.entries(cases))('%s', (field, [key, good, value, bad]) => {
    const fallback = table[field]?.kind === 'one' ? unseal(table[field].fallback) : undefined;

    it('is the default when it is absent, and what it says when it is good', () => {
      expect(valueOf(read({}), field, key)).toEqual(fallback);
      const reading = read({ [key]: good });
      expect(reading.warnings.filter(({ reason }) => !reason.startsWith('"'))).toEqual([]);
      expect(valueOf(reading, field, key)).toEqual(value);
      expect(value).not.toEqual(fallback);
    });

    it('stays what it was when it becomes bad, with a warning that does not repeat secrets', () => {
      if (bad === undefined) return;
      const fresh = read({ [key]: bad });
      const entry = table[field];
      const whenBad = entry?.kind === 'one' ? unseal(entry.whenBad) : undefined;
      expect(valueOf(fresh, field, key)).toEqual(whenBad);
      const what = whenBad === fallback ? 'the default' : String(whenBad);
      expect(fresh.warnings).toMatchObject([{ object, key, reason: expect.stringContaining(`${what} is in force`) }]);
      const reading = read({ [key]: bad }, read({ [key]: good }));
      expect(valueOf(reading, field, key)).toEqual(value);
      expect(reading.warnings).toMatchObject([{ object, key, reason: expect.stringContaining('the value from before is in force') }]);
      expect(JSON.stringify(reading.warnings)).not.toContain('hunter2');
    });

    it('survives any text', () => {
      const before = read({ [key]: good });
      const texts = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constantFrom('', '0', '-1', '1e999', '{', '[]', '{}', 'null', '~', '__proto__: {a: 1}', '- {__proto__: 1}', 'true'),
      );
      fc.assert(
        fc.property(texts, (text) => {
          const { values, warnings } = read({ [key]: text }, before);
          return Object.isFrozen(values) && warnings.every((warning) => warning.key === key);
        }),
        { numRuns: 60 },
      );
    });
  });
});

function unseal(value: unknown): unknown {
  return value instanceof Sealed ? value.reveal() : value;
}
