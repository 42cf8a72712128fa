import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../../../base/index.ts';

/** What a profile says, by the names that the files of AWS have for it. */
export type AwsProfile = ReadonlyMap<string, string>;

/** Profiles by name. */
export type AwsProfiles = ReadonlyMap<string, AwsProfile>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Files with the profiles of one person have a few lines. */
const fileBytesMax = 1 << 20;

interface OwnProfile {
  readonly profiles: AwsProfiles;
  readonly own: AwsProfile;
}

export const noProfiles: OwnProfile = { profiles: new Map(), own: new Map() };

/** The profile that the environment names; what nobody named may be missing. */
export async function readOwnProfile(environment: Environment): Promise<OwnProfile> {
  const profiles = await readProfiles(environment);
  const name = environment['AWS_PROFILE'];
  return { profiles, own: name ? requireProfile(profiles, name) : (profiles.get('default') ?? new Map()) };
}

export function requireProfile(profiles: AwsProfiles, name: string): AwsProfile {
  const profile = profiles.get(name);
  if (profile === undefined) throw new ApiError(Code.FailedPrecondition, `there is no profile "${name}" for AWS`);
  return profile;
}

/** Both files of this process's user; what the one with credentials says wins. */
async function readProfiles(environment: Environment): Promise<AwsProfiles> {
  const home = environment['HOME'];
  const place = (variable: string, file: string): string => environment[variable] || (home ? join(home, '.aws', file) : '');
  const config = parseSections(await readText(place('AWS_CONFIG_FILE', 'config')));
  const credentials = parseSections(await readText(place('AWS_SHARED_CREDENTIALS_FILE', 'credentials')));
  const profiles = new Map<string, Map<string, string>>();
  const add = (name: string, values: AwsProfile): void => {
    profiles.set(name, new Map([...(profiles.get(name) ?? []), ...values]));
  };
  for (const [section, values] of config) {
    const name = section === 'default' ? section : /^profile\s+(.+)$/.exec(section)?.[1];
    if (name !== undefined) add(name.replaceAll(/^(["'])(.*)\1$/g, '$2'), values);
  }
  for (const [section, values] of credentials) add(section, values);
  return profiles;
}

async function readText(file: string): Promise<string> {
  if (file === '') return '';
  try {
    const handle = await open(file, 'r');
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(fileBytesMax), 0, fileBytesMax);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return '';
    // What the file says stays in the file: only that it cannot be read is told.
    throw new ApiError(Code.FailedPrecondition, 'a file with profiles for AWS cannot be read', { cause: error });
  }
}

/** Sections of `name = value`. Lines that are set in belong to a setting of a service, which does not matter here. */
function parseSections(text: string): ReadonlyMap<string, AwsProfile> {
  const sections = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const section = /^\[([^\]]+)\]/.exec(line)?.[1]?.trim();
    if (section !== undefined) {
      current = sections.get(section) ?? new Map();
      sections.set(section, current);
      continue;
    }
    const at = line.indexOf('=');
    if (at < 0 || /^\s/.test(line)) continue;
    const value = line.slice(at + 1).replace(/\s[#;].*$/, '');
    current?.set(line.slice(0, at).trim().toLowerCase(), value.trim());
  }
  return sections;
}
