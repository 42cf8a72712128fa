import { Sealed, type LabelledSecret } from '../../../settings/index.ts';
import { findAccess } from '../../../sources/index.ts';
import { encodeFields, repositoryFields, type FieldValues } from './credential-fields.ts';
import type { RepositoryServiceOptions } from './repository-context.ts';

let candidates = 0;

/**
 * Asks a repository that is not stored, as it would be asked if it were: completed from templates, with what the installation trusts.
 * Throws what went wrong.
 */
export async function testCandidate(
  { settings, sources }: Pick<RepositoryServiceOptions, 'settings' | 'sources'>,
  values: FieldValues,
  signal: AbortSignal,
): Promise<void> {
  const { labelledSecrets, tlsCertificates, sshKnownHosts } = settings.current;
  // What is found out with these credentials is nobody else's: each candidate has a name of its own, which no object can have.
  candidates += 1;
  const candidate: LabelledSecret = {
    name: `candidate:${candidates}`,
    type: 'repository',
    uid: '',
    resourceVersion: '',
    labels: {},
    annotations: {},
    data: new Map([...encodeFields(repositoryFields, values)].map(([key, text]) => [key, new Sealed(text)])),
  };
  const templates = [...labelledSecrets].filter(([, { type }]) => type === 'repo-creds');
  const around = { labelledSecrets: new Map([...templates, [candidate.name, candidate]]), tlsCertificates, sshKnownHosts };
  const access = findAccess(around, String(values['repo'] ?? ''), String(values['project'] ?? ''));
  await sources.testRepository(access, { signal });
}
