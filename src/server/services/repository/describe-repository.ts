import type { ConnectionState, Repository } from '../../../contract/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import { decodeFields, repositoryFields } from './credential-fields.ts';
import { withoutPassword, withoutUser } from './public-url.ts';

export interface RepositoryState {
  readonly connectionState: ConnectionState;
  /** Whether it has no credentials of its own, and a template gives some. */
  readonly inheritsCredentials: boolean;
}

/** A repository as everyone may see it who may see it at all: only fields that are marked as public leave. */
export function describeRepository(secret: LabelledSecret, { connectionState, inheritsCredentials }: RepositoryState): Repository {
  const values = decodeFields(repositoryFields, secret);
  const visible = Object.fromEntries(repositoryFields.filter(({ isPublic }) => isPublic).map(({ field }) => [field, values[field]]));
  const proxy = values['proxy'];
  return {
    ...withoutUndefined(visible),
    repo: withoutPassword(urlOf(secret)),
    type: String(values['type'] ?? 'git'),
    ...(['insecure', 'insecureIgnoreHostKey', 'insecureOCIForceHttp'].some((flag) => values[flag] === true) && { insecure: true }),
    ...(typeof proxy === 'string' && { proxy: withoutUser(proxy) }),
    ...(inheritsCredentials && { inheritedCreds: true }),
    connectionState,
  };
}

/** As it was written. */
export function urlOf({ data }: LabelledSecret): string {
  return (data.get('url')?.reveal() ?? '').trim();
}

export function projectOf({ data }: LabelledSecret): string {
  return data.get('project')?.reveal() ?? '';
}

function withoutUndefined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
