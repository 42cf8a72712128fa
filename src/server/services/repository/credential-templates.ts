import { ApiError, Code } from '../../../base/index.ts';
import type { RepoCreds, RepoCredsCreateRequest, RepoCredsList, RepoCredsUpdateRequest } from '../../../contract/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { decodeFields, describeDifference, pickFields, templateFields, type FieldValues } from './credential-fields.ts';
import { createCredentialStore, type CredentialStore } from './credential-store.ts';
import { urlOf } from './describe-repository.ts';
import { isSameRepository } from './find-repositories.ts';
import { mergeUpdate } from './merge-update.ts';
import { withoutPassword } from './public-url.ts';
import { mayTouch, requireTouch, type RepositoryResource, type RepositoryServiceOptions } from './repository-context.ts';
import { requirePlainUrl } from './require-plain-url.ts';

export type CredentialTemplatesOptions = Pick<RepositoryServiceOptions, 'home' | 'namespace' | 'settings' | 'policy'>;

const TYPES = { repositories: 'repo-creds', 'write-repositories': 'repo-write-creds' } as const;

/** What repositories whose URL begins alike are reached with. Templates belong to no project, and policies name them by their URL alone. */
export interface CredentialTemplates {
  list(url: string | undefined, call: Call): RepoCredsList;
  create(request: RepoCredsCreateRequest, call: Call): Promise<RepoCreds>;
  update(request: RepoCredsUpdateRequest, call: Call): Promise<RepoCreds>;
  remove(url: string | undefined, call: Call): Promise<Record<string, never>>;
}

export function createCredentialTemplates(context: CredentialTemplatesOptions, resource: RepositoryResource): CredentialTemplates {
  const store = createCredentialStore({ ...context, type: TYPES[resource], fields: templateFields });
  const scopeOf = (url: string) => ({ url, project: '', resource });

  return {
    list(wanted, call) {
      const visible = store.list().filter((secret) => mayTouch(context, call, scopeOf(urlOf(secret)), 'get'));
      const items = visible.map(describe).toSorted((left, right) => (left.url < right.url ? -1 : 1));
      return { items: wanted ? items.filter(({ url }) => isSameRepository(url, wanted)) : items };
    },
    async create({ creds, upsert }, call) {
      const { url, values } = readEntry(creds);
      requireTouch(context, call, scopeOf(url), 'create');
      const stored = find(store, url);
      if (stored === undefined) {
        await store.create(url, '', values, call.signal);
        return { url: withoutPassword(url) };
      }
      // What differs tells what is stored, to who asks often enough.
      requireTouch(context, call, scopeOf(urlOf(stored)), 'create');
      const before = { ...decodeFields(templateFields, stored), url };
      const difference = describeDifference(templateFields, { what: 'repository credentials', stored: before, wanted: values });
      if (difference !== undefined) {
        if (upsert !== true) throw new ApiError(Code.InvalidArgument, difference);
        requireTouch(context, call, scopeOf(urlOf(stored)), 'update');
        await store.update(stored, values, call.signal);
      }
      return { url: withoutPassword(url) };
    },
    async update({ creds, updatedFields: names = [] }, call) {
      const { url, values } = readEntry(creds);
      requireTouch(context, call, scopeOf(url), 'update');
      const secret = requireStored(store, url);
      // An address finds its template in several spellings; whoever is denied the one is not let in with another.
      requireTouch(context, call, scopeOf(urlOf(secret)), 'update');
      const stored = { ...decodeFields(templateFields, secret), url: urlOf(secret) };
      const entry = names.length === 0 ? values : mergeUpdate(templateFields, { stored, wanted: values, names });
      await store.update(secret, entry, call.signal);
      return { url: withoutPassword(url) };
    },
    async remove(url, call) {
      if (!url) throw new ApiError(Code.InvalidArgument, 'must specify URL');
      requireTouch(context, call, scopeOf(url), 'delete');
      const secret = requireStored(store, url);
      requireTouch(context, call, scopeOf(urlOf(secret)), 'delete');
      await store.remove(secret, call.signal);
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
