/** Message classes of git's own checks that old but harmless histories trip over; everything else that fsck finds is refused. */
const HARMLESS_FLAWS = [
  'badDate',
  'badDateOverflow',
  'badEmail',
  'badName',
  'badTimezone',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingTaggerEntry',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
];

const SETTINGS: readonly (readonly [string, string])[] = [
  // Nothing that a repository or a machine brings along is run.
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['core.sshCommand', ''],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  // Names such as `.GIT/config` or `git~1` are refused on every system.
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['transfer.fsckObjects', 'true'],
  ...HARMLESS_FLAWS.map((flaw) => [`fetch.fsck.${flaw}`, 'ignore'] as const),
  // Fetches stay packs, few of which are put together now and then.
  ['fetch.unpackLimit', '1'],
  ['core.autocrlf', 'false'],
  ['core.symlinks', 'true'],
  ['protocol.version', '2'],
  ['protocol.allow', 'never'],
  ['protocol.https.allow', 'always'],
  ['protocol.http.allow', 'always'],
  ['protocol.ssh.allow', 'always'],
  // Credentials do not follow where a server points.
  ['http.followRedirects', 'false'],
  // Clean-up runs when we say so, not in the way of a fetch.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['safe.directory', '*'],
  ['advice.detachedHead', 'false'],
];

export interface GitEnvironment {
  readonly searchPath: string;
  /** An empty folder. */
  readonly home: string;
  readonly allowFile: boolean;
  readonly settings?: readonly (readonly [string, string])[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** The whole environment of a run of git: no configuration of the machine, no prompts, no program that we did not name. */
export function gitEnvironment({ searchPath, home, allowFile, settings = [], variables = {} }: GitEnvironment): Record<string, string> {
  const all = [...SETTINGS, ...(allowFile ? [['protocol.file.allow', 'always'] as const] : []), ...settings];
  const environment: Record<string, string> = {
    PATH: searchPath,
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: allowFile ? 'https:http:ssh:file' : 'https:http:ssh',
    GIT_CONFIG_COUNT: String(all.length),
    ...variables,
  };
  for (const [index, [name, value]] of all.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = name;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}
