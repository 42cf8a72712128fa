import type { EmbeddedWatchOptions, EmbeddedWriteOptions } from '../../embedded/index.ts';
import type { DeleteOptions, ListOptions, LogOptions } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, statusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';

/** A watch whose client says nothing about it ends after this time, and the client starts another. */
const WATCH_SECONDS = 3_600;

export function readListOptions(query: URLSearchParams, namespace: string | undefined): ListOptions {
  const limit = readInteger(query, 'limit');
  const match = query.get('resourceVersionMatch');
  return {
    keepManagedFields: true,
    ...(namespace !== undefined && { namespace }),
    ...texts(query, ['labelSelector', 'fieldSelector', 'continue', 'resourceVersion']),
    ...(limit !== undefined && { limit }),
    ...((match === 'Exact' || match === 'NotOlderThan') && { resourceVersionMatch: match }),
  };
}

export function readWatchOptions(query: URLSearchParams, namespace: string | undefined): EmbeddedWatchOptions {
  const { limit: _limit, continue: _continue, resourceVersionMatch: _match, ...selection } = readListOptions(query, namespace);
  return {
    ...selection,
    allowBookmarks: readFlag(query, 'allowWatchBookmarks'),
    // None at all is said with zero too.
    timeoutSeconds: readInteger(query, 'timeoutSeconds') || WATCH_SECONDS,
    ...(query.has('sendInitialEvents') && { sendInitialEvents: readFlag(query, 'sendInitialEvents') }),
  };
}

export function readWriteOptions(query: URLSearchParams, userAgent: string | undefined): EmbeddedWriteOptions {
  const validation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation))
    throw statusError(
      'Invalid',
      `fieldValidation: Unsupported value: ${JSON.stringify(validation)}: supported values: "Ignore", "Warn", "Strict"`,
    );
  return {
    keepManagedFields: true,
    fieldManager: query.get('fieldManager') || managerOf(userAgent),
    ...(isDryRun(query.getAll('dryRun')) && { dryRun: true }),
    ...((validation === 'Ignore' || validation === 'Warn' || validation === 'Strict') && { fieldValidation: validation }),
  };
}

/** From the query and, where there is one, the DeleteOptions in the body, which says more. */
export function readDeleteOptions(query: URLSearchParams, body: JsonObject | undefined): DeleteOptions {
  const propagation = textOf(body?.['propagationPolicy']) ?? query.get('propagationPolicy') ?? undefined;
  const seconds = body?.['gracePeriodSeconds'] ?? readInteger(query, 'gracePeriodSeconds');
  const orphans = body?.['orphanDependents'] ?? (query.has('orphanDependents') ? readFlag(query, 'orphanDependents') : undefined);
  const preconditions = isJsonObject(body?.['preconditions']) ? body['preconditions'] : undefined;
  const uid = textOf(preconditions?.['uid']);
  const resourceVersion = textOf(preconditions?.['resourceVersion']);
  const dryRun = body !== undefined && isJsonArray(body['dryRun']) ? body['dryRun'].map(String) : query.getAll('dryRun');
  return {
    ...(orphans !== undefined && { propagation: orphans === true ? 'Orphan' : 'Background' }),
    ...(propagation !== undefined && { propagation: checkPropagation(propagation) }),
    ...(typeof seconds === 'number' && { gracePeriodSeconds: seconds }),
    ...(preconditions && {
      preconditions: { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) },
    }),
    ...(isDryRun(dryRun) && { dryRun: true }),
  };
}

export function readLogOptions(query: URLSearchParams): LogOptions {
  const numbers = ['sinceSeconds', 'tailLines', 'limitBytes'].flatMap((name) => {
    const value = readInteger(query, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...texts(query, ['container', 'sinceTime']),
    follow: readFlag(query, 'follow'),
    previous: readFlag(query, 'previous'),
    timestamps: readFlag(query, 'timestamps'),
    ...Object.fromEntries(numbers),
  };
}

export function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && text !== 'false' && text !== '0';
}

function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  if (text === '') return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw statusError('BadRequest', `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function texts<Name extends string>(query: URLSearchParams, names: readonly Name[]): { [Key in Name]?: string } {
  const given = names.flatMap((name) => {
    const value = query.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given) as { [Key in Name]?: string };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isDryRun(values: readonly string[]): boolean {
  const given = values.filter((value) => value !== '');
  const unknown = given.find((value) => value !== 'All');
  if (unknown !== undefined) throw statusError('Invalid', `dryRun: Unsupported value: ${JSON.stringify(unknown)}: supported values: "All"`);
  return given.length > 0;
}

function checkPropagation(text: string): NonNullable<DeleteOptions['propagation']> {
  if (text === 'Background' || text === 'Foreground' || text === 'Orphan') return text;
  throw statusError(
    'Invalid',
    `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: ${JSON.stringify(text)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
  );
}

/** A client that does not say who it is is known by its program, as a cluster does it. */
function managerOf(userAgent = ''): string {
  return (
    userAgent
      .split('/')[0]
      ?.replaceAll(/[^\x20-\x7e]/g, '')
      .slice(0, 128) || 'unknown'
  );
}
