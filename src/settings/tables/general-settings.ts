/** Every key of `argocd-cm`. */
import { isJsonObject, type JsonObject } from '../../objects/index.ts';
import { parseYaml } from '../parsing/parse-yaml.ts';
import { BadValue, type Parse } from '../parsing/bad-value.ts';
import { notNegative, parseDurationWithDays } from '../parsing/parse-duration.ts';
import {
  parseChoice,
  parseCommaList,
  parseCommaListOr,
  parseExactlyTrue,
  parseGoBoolean,
  parseInteger,
  parsePattern,
  parseText,
  parseUnlessFalse,
  parseWebUrl,
} from '../parsing/parse-text.ts';
import { freezeDeep } from '../same-value.ts';
import { Sealed } from '../sealed.ts';
import { setting, settingFamily, type SettingValues } from '../setting-table.ts';
import { applicationSettings } from './application-settings.ts';
import { parseDexText, parseOidcText } from './oidc-config.ts';
import { parseLinks, parseUrlList } from './shapes.ts';

const shells: readonly string[] = Object.freeze(['bash', 'sh', 'powershell', 'cmd']);
const dayMs = 86_400_000;
const accountName = /^[^.]+$/;

const parseCapabilities: Parse<readonly ('login' | 'apiKey')[]> = (text, note) =>
  parseCommaList(text, note).filter((capability): capability is 'login' | 'apiKey' => {
    const known = capability === 'login' || capability === 'apiKey';
    if (!known) note('a capability other than login and apiKey is left out');
    return known;
  });

/** Services behind an extension; headers may hold secrets, so it is sealed. */
const parseExtension: Parse<Sealed<JsonObject>> = (text, note) => {
  const value = parseYaml(text, note);
  if (!isJsonObject(value)) throw new BadValue('the value is not a map');
  return new Sealed(freezeDeep(value));
};

const parsePasswordPattern: Parse<string> = (text, note) => (text === '' ? '^.{8,32}$' : parsePattern(text, note));

export const generalTable = {
  url: setting('url', {
    parse: parseWebUrl,
    fallback: '',
    doc: 'The address that users reach Fairway at. Single sign-on and links in messages need it.',
    use: 'used',
  }),
  additionalUrls: setting('additionalUrls', {
    parse: parseUrlList,
    fallback: [],
    doc: 'More addresses of the same, as a YAML list; signing in may return to them.',
    use: 'used',
  }),
  dexConfig: setting('dex.config', {
    parse: parseDexText,
    fallback: undefined,
    doc: 'Connectors to identity providers in the form that Dex reads, as YAML. No Dex is run: set `oidc.config` instead.',
    use: 'used',
  }),
  oidcConfig: setting('oidc.config', {
    parse: parseOidcText,
    fallback: undefined,
    doc: 'An OpenID provider, as YAML; wins over `dex.config`. Texts that start with `$` name secrets.',
    use: 'used',
  }),
  oidcTlsInsecure: setting('oidc.tls.insecure.skip.verify', {
    parse: parseExactlyTrue,
    fallback: false,
    doc: 'Does not check the certificate of the OpenID provider.',
    use: 'used',
  }),
  adminEnabled: setting('admin.enabled', {
    parse: parseGoBoolean(true),
    fallback: true,
    doc: 'Whether the account `admin` can be used.',
    use: 'used',
  }),
  accountCapabilities: settingFamily('accounts.<name>', {
    parse: parseCapabilities,
    names: accountName,
    doc: 'Declares a local account and says what it may do: `login`, `apiKey` or both, with a comma. Names have no dots.',
    use: 'used',
  }),
  accountEnabled: settingFamily('accounts.<name>.enabled', {
    parse: parseGoBoolean(true),
    names: accountName,
    doc: 'Whether a local account can be used; it can unless this says `false`.',
    use: 'used',
  }),
  anonymousEnabled: setting('users.anonymous.enabled', {
    parse: parseExactlyTrue,
    fallback: false,
    doc: 'Lets callers without a session in, with the default role.',
    use: 'used',
  }),
  sessionDurationMs: setting('users.session.duration', {
    parse: notNegative(parseDurationWithDays),
    fallback: dayMs,
    fallbackText: '24h',
    doc: 'How long a login lasts; days are written as `7d`.',
    use: 'used',
  }),
  passwordPattern: setting('passwordPattern', {
    parse: parsePasswordPattern,
    fallback: '^.{8,32}$',
    doc: 'What a new password has to match.',
    use: 'used',
  }),
  statusBadgeEnabled: setting('statusbadge.enabled', {
    parse: parseExactlyTrue,
    fallback: false,
    doc: 'Answers requests for status badges, which need no login.',
  }),
  statusBadgeUrl: setting('statusbadge.url', { parse: parseWebUrl, fallback: '', doc: 'Another address for badges than `url`.' }),
  analyticsTrackingId: setting('ga.trackingid', { parse: parseText, fallback: '', doc: 'The tracking id of Google Analytics.' }),
  analyticsAnonymizeUsers: setting('ga.anonymizeusers', {
    parse: parseUnlessFalse,
    fallback: true,
    doc: 'Hashes user names before analytics sees them.',
  }),
  helpChatUrl: setting('help.chatUrl', { parse: parseWebUrl, fallback: '', doc: 'Where users find help by chat.' }),
  helpChatText: setting('help.chatText', {
    parse: parseText,
    fallback: 'Chat now!',
    doc: 'The text of that link; nothing is shown without `help.chatUrl`.',
  }),
  helpDownloads: settingFamily('help.download.<platform>', {
    parse: parseText,
    names: /^(?:darwin-amd64|darwin-arm64|windows-amd64|linux-amd64|linux-arm64|linux-ppc64le|linux-s390x)$/,
    doc: 'Where the command-line client for a platform such as `linux-amd64` can be downloaded, an address or a path.',
  }),
  uiCssUrl: setting('ui.cssurl', {
    parse: parseText,
    fallback: '',
    doc: 'A style sheet that the web application loads, by address or path.',
  }),
  uiBannerContent: setting('ui.bannercontent', {
    parse: parseText,
    fallback: '',
    doc: 'The text of a banner for everyone who is signed in.',
  }),
  uiBannerUrl: setting('ui.bannerurl', { parse: parseWebUrl, fallback: '', doc: 'Where the banner leads.' }),
  uiBannerPermanent: setting('ui.bannerpermanent', { parse: parseExactlyTrue, fallback: false, doc: 'The banner cannot be closed.' }),
  uiBannerPosition: setting('ui.bannerposition', {
    parse: parseChoice(['', 'top', 'bottom', 'both']),
    fallback: '',
    doc: 'Where the banner is: `top`, `bottom` or `both`.',
  }),
  applicationLinks: setting('application.links', {
    use: 'used',
    parse: parseLinks,
    fallback: [],
    doc: 'Links beside an application: a YAML list of `url` (a template), `title`, `description`, `icon.class` and `if` (a condition).',
  }),
  projectLinks: setting('project.links', { parse: parseLinks, fallback: [], use: 'used', doc: 'The same beside a project.' }),
  resourceLinks: setting('resource.links', { parse: parseLinks, fallback: [], use: 'used', doc: 'The same beside a resource.' }),
  extension: setting<Sealed<JsonObject> | undefined>('extension.config', {
    parse: parseExtension,
    fallback: undefined,
    doc: 'Back-ends of extensions, as YAML. Texts that start with `$` name secrets.',
  }),
  extensions: settingFamily('extension.config.<name>', { parse: parseExtension, doc: 'The back-end of one extension, as YAML.' }),
  maxPodLogsToRender: setting('server.maxPodLogsToRender', {
    use: 'used',
    parse: parseInteger({ min: 0 }),
    fallback: 10,
    doc: 'From how many pods at most logs are shown at once.',
  }),
  fineGrainedInheritanceDisabled: setting('server.rbac.disableApplicationFineGrainedRBACInheritance', {
    parse: parseGoBoolean(true),
    fallback: true,
    doc: 'Updating or deleting a resource of an application needs a rule for just that, one for the application is not enough.',
    use: 'used',
  }),
  execEnabled: setting('exec.enabled', { parse: parseExactlyTrue, fallback: false, doc: 'Offers terminals in pods.' }),
  execShells: setting('exec.shells', {
    parse: parseCommaListOr(shells),
    fallback: shells,
    doc: 'The shells that a terminal tries, in this order, with commas.',
  }),
  webhookPayloadMegabytesMax: setting('webhook.maxPayloadSizeMB', {
    parse: parseInteger({ min: 1, max: 1024 }),
    fallback: 50,
    doc: 'The longest body of a webhook, in megabytes.',
    use: 'used',
  }),
  webhookRefreshJitterMs: setting('webhook.refresh.jitter', {
    parse: notNegative(parseDurationWithDays),
    fallback: 0,
    fallbackText: '0s',
    doc: 'Over how long the refreshes of one webhook are spread.',
    use: 'used',
  }),
  webhookRefreshJitterThreshold: setting('webhook.refresh.jitter.threshold', {
    parse: parseInteger({ min: 0 }),
    fallback: 10,
    doc: 'From how many applications on they are spread.',
    use: 'used',
  }),
  ...applicationSettings,
};

export type GeneralSettings = SettingValues<typeof generalTable>;
