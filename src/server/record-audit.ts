import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/index.ts';
import { Code, type Logger } from '../base/index.ts';
import { isJsonObject, type JsonValue } from '../objects/index.ts';
import type { Transport } from './call.ts';
import { withoutUser } from './services/repository/public-url.ts';

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
    ...(caller && { issuer: caller.issuer, tokenId: caller.tokenId, issuedAt: caller.issuedAt }),
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
  const own = Object.entries(request).filter(
    ([key, value]) => NAMING_FIELDS.includes(key) && (typeof value === 'string' || typeof value === 'number'),
  );
  // What is created or updated comes whole, with its name in its metadata.
  const objects = Object.values(request).flatMap((value) =>
    isJsonObject(value) && isJsonObject(value['metadata']) ? [value['metadata']] : [],
  );
  const names = objects.flatMap(({ name, namespace }) => [
    ...(typeof name === 'string' ? [['name', name] as const] : []),
    ...(typeof namespace === 'string' ? [['namespace', namespace] as const] : []),
  ]);
  return Object.fromEntries([...names, ...own.map(([key, value]) => [key, withoutCredentials(value as string | number)] as const)]);
}

/** URLs may hold a password. */
function withoutCredentials(value: string | number): string | number {
  return typeof value === 'string' ? withoutUser(value.trim()) : value;
}
