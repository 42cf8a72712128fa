import { trimEndOf } from '../../../base/index.ts';
import { openProvider, type ProviderRun } from './open-provider.ts';
import { readSecretRef, type ConfigMapKeyRef, type SecretRef } from './read-references.ts';
import type { Page } from './http/list-pages.ts';
import { sameServer, withQuery } from './http/list-pages.ts';
import { nextLink } from './http/next-link.ts';
import type { ProviderAnswer, ProviderClient } from './http/provider-client.ts';
import { requireList } from './answer-fields.ts';

export interface GitlabAccess {
  readonly api?: string | undefined;
  readonly tokenRef?: SecretRef | null | undefined;
  readonly insecure?: boolean | undefined;
  readonly caRef?: ConfigMapKeyRef | null | undefined;
}

export interface GitlabApi {
  readonly client: ProviderClient;
  readonly url: (...segments: readonly string[]) => string;
}

const publicApi = 'https://gitlab.com';

export async function openGitlab(run: ProviderRun, { api = '', tokenRef, insecure, caRef }: GitlabAccess): Promise<GitlabApi> {
  const token = (await readSecretRef(run.context, tokenRef, run)) || (run.context.environment['GITLAB_TOKEN'] ?? '');
  const client = await openProvider(run, { headers: token === '' ? {} : { 'private-token': token }, secrets: [token], insecure, caRef });
  const bare = trimEndOf(api || publicApi, '/');
  const base = bare.endsWith('/api/v4') ? bare : `${bare}/api/v4`;
  // Groups and projects are named by their path, as one segment.
  return { client, url: (...segments) => `${base}/${segments.map(encodeURIComponent).join('/')}` };
}

/** A page whose headers tell the number or the address of the next one. */
export function readGitlabPage({ json, headers }: ProviderAnswer, url: string): Page {
  const number = headers['x-next-page'];
  const next = typeof number === 'string' && /^\d+$/.test(number) ? withQuery(url, { page: number }) : nextLink(headers);
  return { items: requireList(json), next: sameServer(next, url) };
}
