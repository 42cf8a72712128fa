import { flagKeys, flagName, flags, variableName, type Flag, type FlagKey, type UpOptions } from './flags.ts';
import { findNearest } from './nearest-match.ts';

const commands = ['up', 'shadow', 'kubeconfig', 'export', 'import', 'example', 'admin', 'tools', 'help', 'version'] as const;
/** Flags that only one command has; they take no value and have no variable. */
const ownSwitches = { '--secrets': 'export', '--dry-run': 'import', '--json': 'shadow' } as const;
const adminCommands = ['initial-password'] as const;
const toolsCommands = ['install'] as const;
/** Variables that are not settings of the table: a secret has no flag, and the cache is the launcher's. */
const otherVariables = ['FAIRWAY_ADMIN_PASSWORD', 'FAIRWAY_CACHE'];

const serviceVariable = /^FAIRWAY_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/;

export type Command =
  | { readonly kind: 'up'; readonly options: UpOptions; readonly warnings: readonly string[] }
  /** Compares once, and prints what it found. */
  | { readonly kind: 'shadow'; readonly options: UpOptions; readonly json: boolean }
  | { readonly kind: 'kubeconfig'; readonly options: UpOptions }
  | { readonly kind: 'initial-password'; readonly options: UpOptions }
  | { readonly kind: 'export'; readonly options: UpOptions; readonly secrets: boolean }
  /** `file` is `-` for the standard input. */
  | { readonly kind: 'import'; readonly options: UpOptions; readonly file: string; readonly dryRun: boolean }
  /** Makes a repository to try things with. */
  | { readonly kind: 'example'; readonly folder: string }
  /** `names` are the tools that are wanted; all of them where it is empty. */
  | { readonly kind: 'tools-install'; readonly names: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

/** What was asked for cannot be done as it is written. */
export class UsageError extends Error {}

export interface CommandInput {
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A flag wins over its variable, and an empty variable counts as not set. Throws UsageError. */
export function parseCommand(input: CommandInput): Command {
  const { positionals, given, switches } = splitArguments(input.arguments);
  const [name = 'up', ...rest] = positionals;
  const command = commands.find((known) => known === name);
  if (command === undefined) throw new UsageError(`unknown command '${name}'${suggest(name, commands)}`);
  if (given.has('help') || command === 'help') return { kind: 'help' };
  if (given.has('version') || command === 'version') return { kind: 'version' };
  const stray = [...switches].find((name) => ownSwitches[name] !== command);
  if (stray !== undefined) throw new UsageError(`${stray} is a flag of ${ownSwitches[stray]}`);
  const file = command === 'import' ? rest.shift() : undefined;
  if (command === 'import' && file === undefined) throw new UsageError('import needs a file, or - for the standard input');
  if (command === 'example' || command === 'tools') refuseFlags(command, given);
  if (command === 'example') return { kind: 'example', folder: takeFolder(rest) };
  if (command === 'tools') return { kind: 'tools-install', names: takeSecondWord(command, rest, toolsCommands) };
  const [unexpected] = command === 'admin' ? takeSecondWord(command, rest, adminCommands) : rest;
  if (unexpected !== undefined) throw new UsageError(`unexpected argument '${unexpected}'`);

  const options = Object.fromEntries(flagKeys.map((key) => [key, readValue(key, given, input.environment)])) as UpOptions;
  checkHome(options, command);
  if (command === 'shadow') return { kind: command, options: { ...options, shadow: true }, json: switches.has('--json') };
  if (command === 'kubeconfig') return { kind: command, options: checkTls(options) };
  if (command === 'export') return { kind: command, options, secrets: switches.has('--secrets') };
  if (file !== undefined) return { kind: 'import', options, file, dryRun: switches.has('--dry-run') };
  if (command === 'admin') return { kind: 'initial-password', options: checkTls(options) };
  return { kind: 'up', options: checkTls(options), warnings: findUnknownVariables(input.environment) };
}

/** What has no home has nothing to be told about one. */
function refuseFlags(command: string, given: Given): void {
  const stray = flagKeys.find((key) => given.has(key));
  if (stray !== undefined) throw new UsageError(`${command} has no flag ${flagName(stray)}`);
}

/** What follows the second word of a command of two. */
function takeSecondWord(command: string, [name, ...rest]: readonly string[], known: readonly string[]): string[] {
  if (name === undefined) throw new UsageError(`${command} needs a command: ${known.join(', ')}`);
  if (!known.includes(name)) throw new UsageError(`unknown command '${command} ${name}'${suggest(name, known)}`);
  return rest;
}

/** Where the example goes; a folder of its own in the current one unless told. */
function takeFolder([folder = 'fairway-example', unexpected]: readonly string[]): string {
  if (unexpected !== undefined) throw new UsageError(`unexpected argument '${unexpected}'`);
  return folder;
}

type OwnSwitch = keyof typeof ownSwitches;

function isOwnSwitch(word: string): word is OwnSwitch {
  return Object.hasOwn(ownSwitches, word);
}

type Given = ReadonlyMap<FlagKey | 'help' | 'version', string>;

/** When a flag is given twice, the last counts. */
function splitArguments(words: readonly string[]): { positionals: string[]; given: Given; switches: Set<OwnSwitch> } {
  const positionals: string[] = [];
  const given = new Map<FlagKey | 'help' | 'version', string>();
  const switches = new Set<OwnSwitch>();
  const remaining = [...words];
  for (let word = remaining.shift(); word !== undefined; word = remaining.shift()) {
    if (!word.startsWith('-') || word === '-') {
      positionals.push(word);
      continue;
    }
    const separator = word.indexOf('=');
    const name = separator === -1 ? word : word.slice(0, separator);
    if (name === '--help' || name === '-h') given.set('help', '');
    else if (name === '--version') given.set('version', '');
    else if (isOwnSwitch(word)) switches.add(word);
    else {
      const key = findFlag(name);
      const value = separator === -1 ? takeValue(flags[key], remaining) : word.slice(separator + 1);
      if (value === undefined || value === '') throw new UsageError(`${name} needs a value: ${name} ${flags[key].placeholder}`);
      given.set(key, value);
    }
  }
  return { positionals, given, switches };
}

function takeValue({ isSwitch }: Flag<unknown>, remaining: string[]): string | undefined {
  if (isSwitch === true) return 'true';
  // The next flag is no value: a value that looks like one is given with an equals sign.
  return remaining[0]?.startsWith('--') === true ? undefined : remaining.shift();
}

function findFlag(name: string): FlagKey {
  const key = flagKeys.find((known) => flagName(known) === name);
  if (key !== undefined) return key;
  throw new UsageError(
    `unknown flag ${name}${suggest(name, [...flagKeys.map(flagName), ...Object.keys(ownSwitches), '--help', '--version'])}`,
  );
}

function readValue(key: FlagKey, given: Given, environment: CommandInput['environment']): unknown {
  const flag: Flag<unknown> = flags[key];
  const variable = environment[variableName(key)];
  const fromVariable = variable === undefined || variable === '' ? undefined : variable;
  const text = given.get(key) ?? fromVariable ?? flag.default;
  try {
    return flag.parse(text);
  } catch (error) {
    const origin = given.has(key) || fromVariable === undefined ? flagName(key) : variableName(key);
    throw new UsageError(`${origin} '${text}': ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

function checkHome({ kubeconfig, context, inCluster, shadow }: UpOptions, command: (typeof commands)[number]): void {
  if (kubeconfig !== undefined && inCluster) throw new UsageError('--in-cluster contradicts --kubeconfig');
  if (kubeconfig === undefined && context !== undefined) throw new UsageError('--context needs --kubeconfig');
  const isShadow = shadow || command === 'shadow';
  if (isShadow && kubeconfig === undefined && !inCluster)
    throw new UsageError('to shadow an Argo CD, say on which cluster it is: --kubeconfig or --in-cluster');
}

function checkTls(options: UpOptions): UpOptions {
  const { tls, tlsCert, tlsKey } = options;
  if (tlsCert === undefined && tlsKey === undefined) return options;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError('--tls-cert and --tls-key belong together: one of them is missing');
  if (tls === 'off') throw new UsageError('--tls off contradicts --tls-cert');
  return { ...options, tls: 'on' };
}

function findUnknownVariables(environment: CommandInput['environment']): string[] {
  const known = [...flagKeys.map(variableName), ...otherVariables];
  // A cluster tells its pods of each Service in variables that begin with its name.
  const isOfService = (name: string): boolean => environment['KUBERNETES_SERVICE_HOST'] !== undefined && serviceVariable.test(name);
  const unknown = Object.keys(environment).filter((name) => name.startsWith('FAIRWAY_') && !known.includes(name) && !isOfService(name));
  return unknown.map((name) => `unknown environment variable ${name}${suggest(name, known)}`);
}

function suggest(asked: string, known: readonly string[]): string {
  const nearest = findNearest(asked, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}
