import { ApiError, Code } from '../../../base/index.ts';
import type {
  RepoCreds,
  RepoCredsCreateRequest,
  RepoCredsList,
  RepoCredsService,
  RepoCredsUpdateRequest,
} from '../../../contract/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { decodeFields, describeDifference, pickFields, templateFields, type FieldValues } from '../repository/credential-fields.ts';
import type { CredentialSecretType } from '../repository/credential-secret-name.ts';
import { createCredentialStore, type CredentialStore } from '../repository/credential-store.ts';
import { urlOf } from '../repository/describe-repository.ts';
import { isSameRepository } from '../repository/find-repositories.ts';
import { mergeUpdate } from '../repository/merge-update.ts';
import { withoutPassword } from '../repository/public-url.ts';
import { mayTouch, requireTouch, type RepositoryResource, type RepositoryServiceOptions } from '../repository/repository-context.ts';
import { requirePlainUrl } from '../repository/require-plain-url.ts';

type Context = Pick<RepositoryServiceOptions, 'home' | 'namespace' | 'settings' | 'policy'>;

/** The credential templates: what repositories whose URL begins alike are reached with. Their secrets are only ever written. */
export function createRepocredsService(context: Context): RepoCredsService<Call> {
  const read = createTemplates(context, 'repo-creds', 'repositories');
  const write = createTemplates(context, 'repo-write-creds', 'write-repositories');
  return {
    ListRepositoryCredentials: ({ url }, call) => read.list(url, call),
    CreateRepositoryCredentials: (request, call) => read.create(request, call),
    UpdateRepositoryCredentials: (request, call) => read.update(request, call),
    DeleteRepositoryCredentials: ({ url }, call) => read.remove(url, call),
    ListWriteRepositoryCredentials: ({ url }, call) => write.list(url, call),
    CreateWriteRepositoryCredentials: (request, call) => write.create(request, call),
    UpdateWriteRepositoryCredentials: (request, call) => write.update(request, call),
    DeleteWriteRepositoryCredentials: ({ url }, call) => write.remove(url, call),
  };
}

function createTemplates(context: Context, type: CredentialSecretType, resource: RepositoryResource) {
  const store = createCredentialStore({ ...context, type, fields: templateFields });
  const scopeOf = (url: string) => ({ url, project: '', resource });

  return {
    list(wanted: string | undefined, call: Call): RepoCredsList {
      const visible = store.list().filter((secret) => mayTouch(context, call, scopeOf(urlOf(secret)), 'get'));
      const items = visible.map(describe).toSorted((left, right) => (left.url < right.url ? -1 : 1));
      return { items: wanted ? items.filter(({ url }) => isSameRepository(url, wanted)) : items };
    },
    async create({ creds, upsert }: RepoCredsCreateRequest, call: Call): Promise<RepoCreds> {
      const { url, values } = readEntry(creds);
      requireTouch(context, call, scopeOf(url), 'create');
      const stored = find(store, url);
      if (stored === undefined) {
        await store.create(url, '', values, call.signal);
        return { url: withoutPassword(url) };
      }
      const before = { ...decodeFields(templateFields, stored), url };
      const difference = describeDifference(templateFields, { what: 'repository credentials', stored: before, wanted: values });
      if (difference !== undefined) {
        if (upsert !== true) throw new ApiError(Code.InvalidArgument, difference);
        requireTouch(context, call, scopeOf(urlOf(stored)), 'update');
        await store.update(stored, values, call.signal);
      }
      return { url: withoutPassword(url) };
    },
    async update({ creds, updatedFields: names = [] }: RepoCredsUpdateRequest, call: Call): Promise<RepoCreds> {
      const { url, values } = readEntry(creds);
      requireTouch(context, call, scopeOf(url), 'update');
      const secret = requireStored(store, url);
      const stored = { ...decodeFields(templateFields, secret), url: urlOf(secret) };
      const entry = names.length === 0 ? values : mergeUpdate(templateFields, { stored, wanted: values, names });
      await store.update(secret, entry, call.signal);
      return { url: withoutPassword(url) };
    },
    async remove(url: string | undefined, call: Call): Promise<Record<string, never>> {
      if (!url) throw new ApiError(Code.InvalidArgument, 'must specify URL');
      requireTouch(context, call, scopeOf(url), 'delete');
      await store.remove(requireStored(store, url), call.signal);
      return {};
    },
  };
}

/** The template for exactly this beginning: a shorter one is for more repositories than were meant. */
function find(store: CredentialStore, url: string): LabelledSecret | undefined {
  return store.list().find((secret) => isSameRepository(urlOf(secret), url));
}

function requireStored(store: CredentialStore, url: string): LabelledSecret {
  const stored = find(store, url);
  if (stored === undefined) throw new ApiError(Code.NotFound, `repository credentials '${withoutPassword(url)}' not found`);
  return stored;
}

function readEntry(creds: RepoCreds | undefined): { readonly url: string; readonly values: FieldValues } {
  if (creds === undefined) throw new ApiError(Code.InvalidArgument, 'missing payload in request');
  const url = (creds.url ?? '').trim();
  requirePlainUrl(url);
  return { url, values: { ...pickFields(templateFields, creds), url } };
}

function describe({ data }: LabelledSecret): RepoCreds {
  const username = data.get('username')?.reveal() ?? '';
  return { url: withoutPassword((data.get('url')?.reveal() ?? '').trim()), ...(username !== '' && { username }) };
}
