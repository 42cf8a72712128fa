/** Every key of `argocd-cmd-params-cm` that has a meaning for Fairway. */
import { type Parse } from '../parsing/bad-value.ts';
import { notNegative, parseGoDuration } from '../parsing/parse-duration.ts';
import {
  parseChoice,
  parseCommaList,
  parseCommaListOr,
  parseSeparated,
  parseGoBoolean,
  parseInteger,
  parseText,
  parseUrlPath,
} from '../parsing/parse-text.ts';
import { setting, type Setting, type SettingUse, type SettingValues } from '../setting-table.ts';
import { controllerParameters } from './controller-parameters.ts';

const duration = notNegative(parseGoDuration);
const tlsVersions = ['1.0', '1.1', '1.2', '1.3'] as const;
const jsonOnly: readonly string[] = Object.freeze(['application/json']);

const parseBaseHref: Parse<string> = (text, note) => parseUrlPath(text, note) || '/';

const boolean = (key: string, fallback: boolean, doc: string, use: SettingUse = 'planned'): Setting<boolean> =>
  setting(key, { parse: parseGoBoolean(fallback), fallback, doc, use });

export const parameterTable = {
  insecure: boolean('server.insecure', false, 'Serves without TLS.'),
  baseHref: setting('server.basehref', {
    parse: parseBaseHref,
    fallback: '/',
    doc: 'The path that a proxy in front adds; it is in the links of the web application.',
  }),
  rootPath: setting('server.rootpath', { parse: parseUrlPath, fallback: '', doc: 'The path that everything is served below.' }),
  authDisabled: boolean('server.disable.auth', false, 'Lets everyone do everything.'),
  gzipEnabled: boolean('server.enable.gzip', true, 'Compresses answers.'),
  contentTypes: setting('server.api.content.types', {
    parse: parseSeparated(/[;,]/),
    fallback: jsonOnly,
    doc: 'The types of bodies that REST requests may have, with semicolons; any when empty.',
  }),
  frameOptions: setting('server.x.frame.options', {
    parse: parseText,
    fallback: 'sameorigin',
    doc: 'The header `X-Frame-Options`; not sent when empty.',
  }),
  contentSecurityPolicy: setting('server.content.security.policy', {
    parse: parseText,
    fallback: "frame-ancestors 'self';",
    doc: 'The header `Content-Security-Policy`; not sent when empty.',
  }),
  cookiesMax: setting('server.http.cookie.maxnumber', {
    parse: parseInteger({ min: 1, max: 100 }),
    fallback: 20,
    doc: 'Over how many cookies a long token may be spread.',
  }),
  listenAddress: setting('server.listen.address', {
    parse: parseText,
    fallback: '',
    fallbackText: 'all',
    doc: 'The address that the server listens on.',
  }),
  metricsListenAddress: setting('server.metrics.listen.address', {
    parse: parseText,
    fallback: '',
    fallbackText: 'all',
    doc: 'The address that metrics are served on.',
  }),
  staticAssets: setting('server.staticassets', {
    parse: parseText,
    fallback: '/shared/app',
    doc: 'A folder with more files for the web application.',
  }),
  dexServer: setting('server.dex.server', {
    parse: parseText,
    fallback: '',
    fallbackText: 'none',
    doc: 'Where a Dex server can be reached.',
  }),
  dexServerPlaintext: boolean('server.dex.server.plaintext', false, 'Speaks to Dex without TLS.'),
  tlsMinVersion: setting('server.tls.minversion', { parse: parseChoice(tlsVersions), fallback: '1.2', doc: 'The oldest version of TLS.' }),
  tlsMaxVersion: setting('server.tls.maxversion', { parse: parseChoice(tlsVersions), fallback: '1.3', doc: 'The newest version of TLS.' }),
  tlsCiphers: setting('server.tls.ciphers', {
    parse: parseSeparated(/[:,]/),
    fallback: [],
    fallbackText: 'those of Node',
    doc: 'The ciphers of TLS, with colons.',
  }),
  connectionStatusCacheMs: setting('server.connection.status.cache.expiration', {
    parse: duration,
    fallback: 3_600_000,
    fallbackText: '1h',
    doc: 'How long it is remembered whether a cluster or repository can be reached.',
    use: 'used',
  }),
  oidcCacheMs: setting('server.oidc.cache.expiration', {
    parse: duration,
    fallback: 180_000,
    fallbackText: '3m',
    doc: 'How long the state of a login with single sign-on is kept.',
  }),
  appStateCacheMs: setting('server.app.state.cache.expiration', {
    parse: duration,
    fallback: 3_600_000,
    fallbackText: '1h',
    doc: 'How long the state of an application is cached.',
  }),
  proxyExtensionEnabled: boolean('server.enable.proxy.extension', false, 'Passes requests of extensions on to their back-ends.'),
  webhookParallelism: setting('server.webhook.parallelism.limit', {
    parse: parseInteger({ min: 1, max: 10_000 }),
    fallback: 50,
    doc: 'How many webhooks are worked on at once.',
  }),
  webhookRefreshWorkers: setting('server.webhook.refresh.workers', {
    parse: parseInteger({ min: 1, max: 10_000 }),
    fallback: 20,
    doc: 'How many refreshes of webhooks run at once; read at the start.',
    use: 'used',
  }),
  globCacheSize: setting('server.glob.cache.size', {
    parse: parseInteger({ min: 0, max: 10_000_000 }),
    fallback: 10_000,
    doc: 'How many compiled patterns are kept.',
  }),
  syncReplaceAllowed: boolean('server.sync.replace.allowed', true, 'Whether a sync may replace objects.', 'used'),
  renderTimeoutSeconds: setting('server.repo.server.timeout.seconds', {
    parse: parseInteger({ min: 1, max: 86_400 }),
    fallback: 60,
    doc: 'How long a request waits for manifests to be rendered.',
  }),
  applicationNamespaces: setting('application.namespaces', {
    parse: parseCommaList,
    fallback: [],
    doc: 'In which other namespaces applications may be: patterns, or `/regular expressions/`, with commas. On a cluster, where there were none at the start, those set later count from the next start on.',
    use: 'used',
  }),
  hydratorEnabled: boolean(
    'hydrator.enabled',
    false,
    'Lets credentials with which a hydrator writes be kept, and tells clients that there is one. Fairway deploys the branch that a hydrator writes, and writes none itself.',
    'used',
  ),
  appsetScmEnabled: boolean(
    'applicationsetcontroller.enable.scm.providers',
    true,
    'Whether application sets may ask providers of repositories.',
    'used',
  ),
  appsetScmAllowed: setting('applicationsetcontroller.allowed.scm.providers', {
    parse: parseCommaListOr([]),
    fallback: [],
    fallbackText: 'all',
    doc: 'The addresses of providers that application sets may ask, with commas.',
    use: 'used',
  }),
  appsetScmRootCaPath: setting('applicationsetcontroller.scm.root.ca.path', {
    parse: parseText,
    fallback: '',
    doc: 'A file with the certificates that such providers are checked against.',
    use: 'used',
  }),
  appsetNewGlobbing: boolean(
    'applicationsetcontroller.enable.new.git.file.globbing',
    false,
    'Reads patterns of files in the newer way.',
    'used',
  ),
  ...controllerParameters,
};

export type ParameterSettings = SettingValues<typeof parameterTable>;
