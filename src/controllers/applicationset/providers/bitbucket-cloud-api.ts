import { requireList, textAt } from './answer-fields.ts';
import { sameServer, type Page } from './http/list-pages.ts';
import type { ProviderAnswer } from './http/provider-client.ts';
import type { ProviderContext } from './provider-context.ts';

const publicApi = 'https://api.bitbucket.org/2.0';

/** Generators of repositories have no field for it; `BITBUCKET_API_BASE_URL` is where clients look for another address. */
export function bitbucketCloudApi({ environment }: Pick<ProviderContext, 'environment'>, api = ''): string {
  return api || environment['BITBUCKET_API_BASE_URL'] || publicApi;
}

/** A page that names the address of the next one. */
export function readCloudPage({ json }: ProviderAnswer, url: string): Page {
  return { items: requireList(json, 'values'), next: sameServer(textAt(json, 'next'), url) };
}
