import type { RepoAccessQuery, RepoCreds, Repository } from '../../../contract/gen/types.ts';
import {
  credentialFields,
  fieldsOfWay,
  isUnseen,
  listMore,
  listWays,
  type FormField,
  type RepositoryType,
  type Way,
} from './describe-fields.ts';

/** A form that is being filled in: what cannot be read of a stored repository begins empty, and left empty it stays. */
export interface Entry {
  readonly isTemplate: boolean;
  readonly type: RepositoryType;
  readonly way: Way;
  readonly url: string;
  readonly name: string;
  readonly project: string;
  /** By field of the API; numbers as they are typed. */
  readonly values: Readonly<Record<string, string | boolean>>;
}

export function emptyEntry(isTemplate: boolean, url = ''): Entry {
  return { isTemplate, type: guessType(url), way: guessWay(url), url, name: '', project: '', values: {} };
}

/** Only addresses of registries tell what is behind them. */
function guessType(url: string): RepositoryType {
  return /^oci:\/\//i.test(url) ? 'oci' : 'git';
}

/** What is shown of a stored repository, to be changed. */
export function entryOfRepository(repository: Repository): Entry {
  const type = readType(repository.type);
  const shown = [...listMore(type, false), ...credentialFields].flatMap(({ field }): [string, string | boolean][] => {
    const value: unknown = Reflect.get(repository, field);
    if (typeof value === 'boolean') return [[field, value]];
    return typeof value === 'string' || typeof value === 'number' ? [[field, String(value)]] : [];
  });
  const { repo: url, name = '', project = '' } = repository;
  return { isTemplate: false, type, way: 'kept', url, name, project, values: Object.fromEntries(shown) };
}

/** Of a template nothing but the user is shown. */
export function entryOfTemplate({ url, username = '' }: RepoCreds): Entry {
  return { isTemplate: true, type: 'git', way: 'kept', url, name: '', project: '', values: username === '' ? {} : { username } };
}

export function readType(type: string | undefined): RepositoryType {
  return type === 'helm' || type === 'oci' ? type : 'git';
}

/** Addresses tell how they are reached. */
export function guessWay(url: string): Way {
  return isSshAddress(url) ? 'ssh' : 'none';
}

export function isSshAddress(url: string): boolean {
  return /^(?:ssh:\/\/|git\+ssh:\/\/|[^\s/@]+@[^\s/:]+:)/i.test(url);
}

/** The entry with another type; a way that this type does not know is let go. */
export function withType(entry: Entry, type: RepositoryType): Entry {
  const isKnown = entry.way === 'kept' || listWays(type).some(({ id }) => id === entry.way);
  return { ...entry, type, way: isKnown ? entry.way : 'none' };
}

/** Why it cannot be sent yet. */
export function findGap({ isTemplate, type, url, name, way, values }: Entry): string | undefined {
  if (url.trim() === '') return isTemplate ? 'Write how the addresses begin' : 'Write the address of the repository';
  if (!isTemplate && type === 'helm' && name.trim() === '') return 'A Helm repository needs a name';
  if (way === 'ssh' && !isSshAddress(url)) return 'An SSH key needs an address like git@host:path or ssh://host/path';
  const broken = Object.entries(values).find(([field, value]) => isNumber(field) && value !== '' && !/^\d{1,15}$/.test(String(value)));
  return broken === undefined ? undefined : `${broken[0]} must be a number`;
}

/** What the API is told of a new one. */
export function toRepository(entry: Entry): Repository {
  const { type, name, project, url } = entry;
  return {
    repo: url.trim(),
    type,
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(project !== '' && { project }),
    ...readValues(entry, [...fieldsOfWay(entry.way), ...listMore(type, false)]),
  };
}

export function toTemplate(entry: Entry): RepoCreds {
  return { url: entry.url.trim(), type: entry.type, ...readValues(entry, [...fieldsOfWay(entry.way), ...listMore(entry.type, true)]) };
}

/** What a trial needs to know of it, under the names that the query for it has. */
export function toAccessQuery(entry: Entry): RepoAccessQuery {
  const values: Readonly<Record<string, unknown>> = { ...toRepository(entry) };
  const asked = Object.entries(values).flatMap(([field, value]): [string, unknown][] =>
    NOT_ASKED.includes(field) ? [] : [[ACCESS_NAMES.get(field) ?? field, value]],
  );
  return Object.fromEntries(asked);
}

const NOT_ASKED: readonly string[] = ['enableLfs', 'depth', 'noProxy', 'webhookManifestCacheWarmDisabled'];
const ACCESS_NAMES: ReadonlyMap<string, string> = new Map([
  ['enableOCI', 'enableOci'],
  ['insecureOCIForceHttp', 'insecureOciForceHttp'],
]);

/**
 * Which fields a form changes: those that differ from what was shown, and secrets that somebody has typed. Whoever chooses a way to sign in clears the
 * others; what they leave empty of theirs stays.
 */
export function listChanges(before: Entry, entry: Entry): string[] {
  const changed: string[] = [];
  if (entry.name.trim() !== before.name) changed.push('name');
  if (entry.type !== before.type) changed.push('type');
  for (const each of listMore(entry.type, entry.isTemplate)) {
    const { field } = each;
    if (Object.hasOwn(entry.values, field) && isUnseen(each, entry.isTemplate) && entry.values[field] !== '') changed.push(field);
    else if ((entry.values[field] ?? '') !== (before.values[field] ?? '') && !isBothOff(entry.values[field], before.values[field]))
      changed.push(field);
  }
  if (entry.way === 'kept') return changed;
  const own = fieldsOfWay(entry.way).map(({ field }) => field);
  for (const { field } of credentialFields) if (!own.includes(field) || (entry.values[field] ?? '') !== '') changed.push(field);
  return [...new Set(changed)];
}

/** Whether all that is needed to try it is here, or some of it is only stored. */
export function isComplete({ way, values }: Entry): boolean {
  if (way === 'kept') return false;
  return fieldsOfWay(way).every(({ field, kind }) => !kind.startsWith('secret') || (values[field] ?? '') !== '');
}

function isBothOff(one: string | boolean | undefined, other: string | boolean | undefined): boolean {
  return one !== true && other !== true && (typeof one === 'boolean' || typeof other === 'boolean');
}

function isNumber(field: string): boolean {
  return [...credentialFields, ...listMore('git', false)].some((each) => each.field === field && each.kind === 'number');
}

function readValues({ way, values }: Entry, fields: readonly FormField[]): object {
  const read = fields.flatMap(({ field, kind }): [string, unknown][] => {
    const value = values[field];
    if (value === undefined || value === '' || value === false) return [];
    if (kind === 'number') return [[field, Number(value)]];
    return [[field, typeof value === 'string' && kind === 'text' ? value.trim() : value]];
  });
  return { ...Object.fromEntries(read), ...(way === 'azure' && { useAzureWorkloadIdentity: true }) };
}
