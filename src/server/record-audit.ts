import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/index.ts';
import { Code, type Logger } from '../base/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../objects/index.ts';
import type { Transport } from './call.ts';

/** Levels that log collectors of Argo CD filter by: what is usual, and what may be an attack but is more likely a mistake. */
const USUAL = 1;
const SUSPICIOUS = 2;

/** Fields of a request that say what it is about. Nothing else is taken from it: the rest may be secret. */
const NAMING_FIELDS = [
  'name',
  'applicationName',
  'namespace',
  'appNamespace',
  'project',
  'role',
  'id',
  'repo',
  'url',
  'server',
  'kind',
  'group',
  'resourceName',
];

/** Where a request brings what it is about inside of a field, what names it there. */
const NAMING_FIELDS_INSIDE: ReadonlyMap<string, readonly string[]> = new Map([
  ['cluster', ['server', 'name', 'project']],
  ['repo', ['repo', 'name', 'project']],
  ['creds', ['url']],
  ['source', ['repoURL']],
]);

/**
 * User and password of an address, wherever in a text it begins and also where it is escaped. Behind two plain slashes only a third ends
 * them: a password that has one carries it escaped, and may have a backslash.
 */
const USER_OF_ADDRESS = /(\/\/)[^/]*(?:@|%40)|((?:[/\\]|%2f){2})(?:(?!%2f)[^/\\])*(?:@|%40)/gi;

const codeNames = new Map<number, string>(Object.entries(Code).map(([name, code]) => [code, name]));

export interface AuditedCall {
  readonly caller: Caller | undefined;
  /** The path of a method; the verb and path of anything else. */
  readonly call: string;
  readonly target: Readonly<Record<string, JsonValue>>;
  /** What came of it. */
  readonly code: Code;
  readonly transport: Transport;
  readonly remoteAddress: string;
}

/** Leaves one record: who, with which token, what, and what came of it. */
export function recordAudit(log: Logger, { caller, call, target, code, transport, remoteAddress }: AuditedCall): void {
  const isDenied = code === Code.PermissionDenied;
  log.info('audit', {
    audit: randomUUID(),
    user: caller?.username ?? '',
    ...(caller && { issuer: caller.issuer, jti: caller.tokenId, issuedAt: caller.issuedAt }),
    call,
    target,
    decision: code === Code.OK ? 'done' : isDenied ? 'denied' : 'failed',
    code: codeNames.get(code) ?? 'Unknown',
    transport,
    remoteAddress,
    security: isDenied ? SUSPICIOUS : USUAL,
  });
}

/** What of a request says what it is about. */
export function describeTarget(request: JsonValue | undefined): Record<string, JsonValue> {
  if (!isJsonObject(request)) return {};
  const inside = Object.entries(request).flatMap(([key, value]) => (isJsonObject(value) ? namesInside(key, value) : []));
  return Object.fromEntries([...inside, ...pick(request, NAMING_FIELDS)]);
}

/** What is created or updated comes whole: with its name in its metadata, or in fields of its own. */
function namesInside(key: string, value: JsonObject): Named[] {
  if (isJsonObject(value['metadata'])) return pick(value['metadata'], ['name', 'namespace']);
  // Clusters are asked for by a name or an address, beside a word that says which of them it is.
  if (key === 'id') return pick({ id: value['value'] ?? '' }, ['id']);
  return pick(value, NAMING_FIELDS_INSIDE.get(key) ?? []);
}

type Named = readonly [string, string | number];

function pick(value: JsonObject, names: readonly string[]): Named[] {
  return names.flatMap((name): Named[] => {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof field === 'string') return [[name, withoutCredentials(field)]];
    return typeof field === 'number' ? [[name, field]] : [];
  });
}

function withoutCredentials(text: string): string {
  return text.trim().replace(USER_OF_ADDRESS, '$1$2');
}
