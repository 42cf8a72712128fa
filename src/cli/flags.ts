import { logLevels } from '../base/index.ts';
import { parseAddress, type Address } from './address.ts';

/** One setting of the command: a flag and an environment variable, both named after its key in the table. */
export interface Flag<Value> {
  /** What stands for the value in the help. */
  readonly placeholder: string;
  readonly help: string;
  /** Can be given without a value, which then is `true`. */
  readonly isSwitch?: true;
  /** As it would be written; what is used when it is not given at all. */
  readonly default?: string;
  /** How the help describes a default that depends on the machine. */
  readonly defaultHelp?: string;
  /** Throws an Error that says what is wrong with the text. */
  readonly parse: (text: string | undefined) => Value;
}

const SECONDS_MAX = 3_600;

/** Every flag there is: parsing, the environment and the help are derived from this table. */
export const flags = {
  listen: {
    placeholder: 'HOST:PORT',
    help: 'Where to listen. `:8080` listens on every interface; port 0 picks a free one.',
    default: '127.0.0.1:8080',
    parse: (text): Address => parseAddress(text ?? ''),
  },
  data: {
    placeholder: 'DIR',
    help: 'The folder that everything is kept in.',
    defaultHelp: '.fairway in a checkout, else the data folder of your platform',
    parse: parseOptionalText,
  },
  kubeconfig: {
    placeholder: 'FILE',
    help: 'Keep everything on the cluster that this kubeconfig describes, instead of in the embedded API.',
    defaultHelp: 'none: the embedded API',
    parse: parseOptionalText,
  },
  context: {
    placeholder: 'NAME',
    help: 'Which of its contexts.',
    defaultHelp: 'its current one',
    parse: parseOptionalText,
  },
  inCluster: {
    placeholder: 'true|false',
    help: 'Keep everything on the cluster that this process runs in, as its service account.',
    default: 'false',
    isSwitch: true,
    parse: (text): boolean => oneOf(['true', 'false'])(text) === 'true',
  },
  namespace: {
    placeholder: 'NAME',
    help: 'The namespace of the settings, projects and applications.',
    default: 'argocd',
    parse: parseNamespace,
  },
  applicationNamespaces: {
    placeholder: 'LIST',
    help: 'In which other namespaces applications may be: names or patterns such as `team-*`, with commas.',
    defaultHelp: 'what application.namespaces in argocd-cmd-params-cm says',
    parse: parseList,
  },
  applicationsetNamespaces: {
    placeholder: 'LIST',
    help: 'The same for application sets.',
    defaultHelp: 'what applicationsetcontroller.namespaces in argocd-cmd-params-cm says',
    parse: parseList,
  },
  shadow: {
    placeholder: 'true|false',
    help: 'Look at the applications of an Argo CD that runs on that cluster, report where we agree, and write nothing.',
    default: 'false',
    isSwitch: true,
    parse: (text): boolean => oneOf(['true', 'false'])(text) === 'true',
  },
  shadowPatience: {
    placeholder: 'SECONDS',
    help: 'With --shadow: for how long what differs may be what Argo CD has not written down yet.',
    default: '15',
    parse: parseSeconds,
  },
  allowFileRepositories: {
    placeholder: 'true|false',
    help: 'Let applications read repositories in folders of this machine (file://).',
    defaultHelp: 'only with the embedded API, where no other machine can connect',
    default: 'false',
    isSwitch: true,
    parse: (text): boolean => oneOf(['true', 'false'])(text) === 'true',
  },
  clusterCommands: {
    placeholder: 'LIST',
    help: 'Programs that may print the credentials of clusters registered over the API, by their exact names, with commas.',
    defaultHelp: 'argocd-k8s-auth alone, which is always one of them',
    parse: parseList,
  },
  pluginSockets: {
    placeholder: 'DIR',
    help: 'The folder with the sockets of configuration management plugins.',
    default: '/home/argocd/cmp-server/plugins',
    parse: (text): string => text ?? '',
  },
  tls: {
    placeholder: 'auto|on|off',
    help: 'Whether to encrypt. auto: only where other machines can connect.',
    default: 'auto',
    parse: oneOf(['auto', 'on', 'off']),
  },
  tlsCert: {
    placeholder: 'FILE',
    help: 'A certificate (PEM), read again when it changes. Implies --tls on.',
    defaultHelp: 'a self-signed one',
    parse: parseOptionalText,
  },
  tlsKey: { placeholder: 'FILE', help: 'The private key (PEM) of that certificate.', parse: parseOptionalText },
  logLevel: { placeholder: logLevels.join('|'), help: 'The least important records to write.', default: 'info', parse: oneOf(logLevels) },
  logFormat: {
    placeholder: 'auto|text|json',
    help: 'How to write them. auto: text on a terminal, else JSON.',
    default: 'auto',
    parse: oneOf(['auto', 'text', 'json']),
  },
  metricsListen: {
    placeholder: 'HOST:PORT',
    help: 'A second port, without TLS, that serves /metrics and /healthz to everyone who can reach it.',
    defaultHelp: 'none',
    parse: (text): Address | undefined => (text === undefined ? undefined : parseAddress(text)),
  },
  docs: { placeholder: 'on|off', help: 'Whether to serve /docs and /openapi.json.', default: 'on', parse: oneOf(['on', 'off']) },
} satisfies Record<string, Flag<unknown>>;

export type FlagKey = keyof typeof flags;
export type UpOptions = { readonly [Key in FlagKey]: ReturnType<(typeof flags)[Key]['parse']> };

export const flagKeys = Object.keys(flags) as FlagKey[];

/** `tlsCert` → `--tls-cert`. */
export function flagName(key: FlagKey): string {
  return `--${toKebabCase(key)}`;
}

/** `tlsCert` → `FAIRWAY_TLS_CERT`. */
export function variableName(key: FlagKey): string {
  return `FAIRWAY_${toKebabCase(key).replaceAll('-', '_').toUpperCase()}`;
}

function toKebabCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parseOptionalText(text: string | undefined): string | undefined {
  return text;
}

function parseSeconds(text: string | undefined): number {
  const seconds = Number(text);
  if (!/^\d{1,4}$/.test(text ?? '') || seconds > SECONDS_MAX) throw new Error(`must be a whole number from 0 to ${SECONDS_MAX}`);
  return seconds;
}

/** A name that Kubernetes takes for a namespace. */
function parseNamespace(text: string | undefined): string {
  const name = text ?? '';
  if (name.length > 63 || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) {
    throw new Error('must have at most 63 lower-case letters, digits and dashes, and begin and end with a letter or digit');
  }
  return name;
}

/** Undefined when it is not given, which differs from an empty list. */
function parseList(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}

function oneOf<const Choice extends string>(choices: readonly Choice[]): (text: string | undefined) => Choice {
  return (text) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) throw new Error(`must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
    return chosen;
  };
}
