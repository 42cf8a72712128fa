import { ApiError, Code, trimEndOf } from '../../../base/index.ts';
import type { JsonValue } from '../../../objects/index.ts';
import { requireList } from './answer-fields.ts';
import { createAddToList, joinPath, withQuery, type AddToList } from './http/list-pages.ts';
import { ProviderError } from './http/provider-error.ts';
import { readUntilStable } from './http/read-until-stable.ts';
import type { ProviderClient } from './http/provider-client.ts';
import { basicAuthorization, openProvider, type ProviderRun } from './open-provider.ts';

export interface AzureDevOpsAccess {
  readonly api?: string | undefined;
  readonly organization: string;
  readonly token: string;
}

export interface AzureDevOpsApi {
  readonly client: ProviderClient;
  /** Below a project. */
  readonly url: (project: string, ...segments: readonly string[]) => string;
  /** Everything that a list holds. One that is part of another counts with it. */
  readonly list: (url: string, add?: AddToList) => Promise<readonly JsonValue[]>;
  readonly get: (url: string) => Promise<JsonValue | undefined>;
}

const publicApi = 'https://dev.azure.com';
const apiVersion = '7.1-preview.1';

export async function openAzureDevOps(run: ProviderRun, { api = '', organization, token }: AzureDevOpsAccess): Promise<AzureDevOpsApi> {
  const address = `${trimEndOf(api || publicApi, '/')}/${encodeURIComponent(organization)}`;
  if (!URL.canParse(address))
    throw new ApiError(Code.InvalidArgument, `got an invalid URL for the Azure SCM generator: ${JSON.stringify(api)}`);
  const authorization = basicAuthorization('', token);
  const headers = { accept: 'application/json', ...(token !== '' && { authorization }) };
  const client = await openProvider(run, { headers, secrets: [token, authorization.slice('Basic '.length)] });
  const ask = async (url: string) => {
    const answer = await client.ask({ url: withQuery(url, { 'api-version': apiVersion }) });
    return answer;
  };
  return {
    client,
    url: (project, ...segments) => joinPath(address, project, '_apis', 'git', ...segments),
    get: async (url) => (await ask(url)).json,
    list: (first, shared) =>
      readUntilStable(async () => {
        const items: JsonValue[] = [];
        const add = shared ?? createAddToList(client);
        let url = first;
        for (let page = 1; ; page++) {
          if (page > client.limits.pagesMax)
            throw new ProviderError(`a list has more than ${client.limits.pagesMax} pages`, { status: 200 });
          const answer = await ask(url);
          add(items, requireList(answer.json, 'value'));
          const token = answer.headers['x-ms-continuationtoken'];
          if (typeof token !== 'string' || token === '') return { items, pages: page };
          url = withQuery(first, { continuationToken: token });
        }
      }),
  };
}
