import { trimEndOf } from '../../../base/index.ts';
import type { JsonValue } from '../../../objects/index.ts';
import { requireInteger, requireList, valueAt } from './answer-fields.ts';
import { joinPath, listPages, withQuery, type Page } from './http/list-pages.ts';
import type { ProviderAnswer, ProviderClient } from './http/provider-client.ts';
import { withPrefix } from '../generators/describe-error.ts';
import { basicAuthorization, openProvider, type ProviderRun } from './open-provider.ts';
import { readSecretRef, type ConfigMapKeyRef, type SecretRef } from './read-references.ts';

export interface BitbucketAccess {
  readonly basicAuth?: { readonly username: string; readonly passwordRef: SecretRef | null } | undefined;
  readonly bearerToken?: { readonly tokenRef: SecretRef | null } | undefined;
}

export interface BitbucketServerAccess extends BitbucketAccess {
  readonly api: string;
  readonly insecure?: boolean | undefined;
  readonly caRef?: ConfigMapKeyRef | null | undefined;
}

export interface BitbucketServerApi {
  readonly client: ProviderClient;
  readonly url: (...segments: readonly string[]) => string;
  readonly list: (url: string) => Promise<readonly JsonValue[]>;
}

export async function openBitbucketServer(run: ProviderRun, access: BitbucketServerAccess): Promise<BitbucketServerApi> {
  const { authorization, secrets } = await readBitbucketAuthorization(run, access);
  const bare = trimEndOf(access.api, '/');
  const base = `${bare.endsWith('/rest') ? bare : `${bare}/rest`}/api/1.0`;
  const client = await openProvider(run, {
    headers: authorization === undefined ? {} : { authorization, 'x-atlassian-token': 'no-check', 'x-requested-with': 'XMLHttpRequest' },
    secrets,
    insecure: access.insecure,
    caRef: access.caRef,
  });
  return {
    client,
    url: (...segments) => joinPath(base, ...segments),
    list: (address) => listPages(client, withQuery(address, { limit: 100 }), readPage),
  };
}

/** The header that the credentials of either Bitbucket make; undefined where there are none. A token wins over a password. */
export async function readBitbucketAuthorization(run: ProviderRun, { basicAuth, bearerToken }: BitbucketAccess) {
  if (bearerToken) {
    const token = await withPrefix('error fetching Secret Bearer token: ', () => readSecretRef(run.context, bearerToken.tokenRef, run));
    return { authorization: `Bearer ${token}`, secrets: [token] };
  }
  if (!basicAuth) return { authorization: undefined, secrets: [] };
  const password = await withPrefix('error fetching Secret token: ', () => readSecretRef(run.context, basicAuth.passwordRef, run));
  const authorization = basicAuthorization(basicAuth.username, password);
  return { authorization, secrets: [password, authorization.slice('Basic '.length)] };
}

function readPage({ json }: ProviderAnswer, url: string): Page {
  const isLast = valueAt(json, 'isLastPage') !== false;
  const next = isLast ? undefined : withQuery(url, { start: requireInteger(json, 'nextPageStart') });
  return { items: requireList(json, 'values'), next };
}
