import { trimEndOf } from '../../../base/index.ts';
import type { JsonValue } from '../../../objects/index.ts';
import { requireList, requireText } from './answer-fields.ts';
import { createAddToList, joinPath, withQuery } from './http/list-pages.ts';
import { ProviderError } from './http/provider-error.ts';
import { readUntilStable, type ReadList } from './http/read-until-stable.ts';
import type { ProviderClient } from './http/provider-client.ts';
import { openProvider, type ProviderRun } from './open-provider.ts';
import { readSecretRef, type SecretRef } from './read-references.ts';

export interface GiteaAccess {
  readonly api: string;
  readonly tokenRef?: SecretRef | null | undefined;
  readonly insecure?: boolean | undefined;
}

export interface GiteaApi {
  readonly client: ProviderClient;
  readonly url: (...segments: readonly string[]) => string;
  /** Everything that a list holds. */
  readonly list: (url: string) => Promise<readonly JsonValue[]>;
}

/** Servers give no more than 50 unless they are set up otherwise. */
const pageSize = 50;

export async function openGitea(run: ProviderRun, { api, tokenRef, insecure }: GiteaAccess): Promise<GiteaApi> {
  const token = (await readSecretRef(run.context, tokenRef, run)) || (run.context.environment['GITEA_TOKEN'] ?? '');
  const headers = token === '' ? {} : { authorization: `token ${token}` };
  const client = await openProvider(run, { headers, secrets: [token], insecure });
  const url = (...segments: readonly string[]): string => joinPath(`${trimEndOf(api, '/')}/api/v1`, ...segments);
  await checkVersion(client, url('version'));
  return { client, url, list: (address) => readUntilStable(() => listAll(client, address)) };
}

/** Older servers lack what is asked of them. */
async function checkVersion(client: ProviderClient, url: string): Promise<void> {
  const { json } = await client.ask({ url });
  const version = requireText(json, 'version');
  const [major = 0, minor = 0] = /^v?(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
  if (major === 0 || (major === 1 && minor < 11))
    throw new ProviderError(`error creating a new gitea client: the server has version ${version}, and 1.11 is the least`, { status: 200 });
}

/** Until a page is empty, or as many as the server says that there are. */
async function listAll(client: ProviderClient, url: string): Promise<ReadList> {
  const items: JsonValue[] = [];
  const add = createAddToList(client);
  for (let page = 1; ; page++) {
    if (page > client.limits.pagesMax) throw new ProviderError(`a list has more than ${client.limits.pagesMax} pages`, { status: 200 });
    const answer = await client.ask({ url: withQuery(url, { page, limit: pageSize }) });
    const found = requireList(answer.json);
    add(items, found);
    const total = answer.headers['x-total-count'];
    const totalCount = typeof total === 'string' && /^\d+$/.test(total) ? Number(total) : undefined;
    if (totalCount === undefined ? found.length === 0 : items.length >= totalCount) return { items, pages: page };
    if (found.length === 0) throw new ProviderError(`a list of ${totalCount} ends after ${items.length}`, { status: 200 });
  }
}
