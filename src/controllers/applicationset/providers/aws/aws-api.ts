import { trimEndOf } from '../../../../base/index.ts';
import type { JsonObject, JsonValue } from '../../../../objects/index.ts';
import type { ProviderClient } from '../http/provider-client.ts';
import { ProviderError } from '../http/provider-error.ts';
import { openProvider, type ProviderRun } from '../open-provider.ts';
import { requireObject } from '../answer-fields.ts';
import { signAwsRequest, type AwsCredentials } from './sign-request.ts';

/** A service of AWS that takes and gives JSON. */
export interface AwsService {
  /** In addresses and signatures. */
  readonly name: string;
  /** Before the name of each operation. */
  readonly target: string;
  /** How the environment names it, for another address. */
  readonly variable: string;
}

export const codeCommitService: AwsService = { name: 'codecommit', target: 'CodeCommit_20150413', variable: 'CODECOMMIT' };
export const taggingService: AwsService = {
  name: 'tagging',
  target: 'ResourceGroupsTaggingAPI_20170126',
  variable: 'RESOURCE_GROUPS_TAGGING_API',
};

export interface AwsAccess {
  readonly region: string;
  readonly credentials: AwsCredentials;
}

/** Calls operations of a service. */
export type CallAws = (operation: string, input: JsonObject) => Promise<JsonObject>;

export async function openAwsService(run: ProviderRun, service: AwsService, { region, credentials }: AwsAccess): Promise<CallAws> {
  const { clock, environment } = run.context;
  const client: ProviderClient = await openProvider(run, { secrets: [credentials.secretAccessKey, credentials.sessionToken] });
  const url = awsAddress(environment, service, region);
  return async (operation, input) => {
    const body = JSON.stringify(input);
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${service.target}.${operation}` };
    const request = { url: new URL(url), method: 'POST', headers, body };
    const sign = () => signAwsRequest(request, { credentials, region, service: service.name, nowMs: clock.nowMs() });
    const { json } = await client.ask({ method: 'POST', url, headers, body, sign });
    return requireObject(json ?? {});
  };
}

/** Where a service is: as the environment says, as with every client of AWS, or where it is for everyone. */
export function awsAddress(
  environment: Readonly<Record<string, string | undefined>>,
  { name, variable }: Pick<AwsService, 'name' | 'variable'>,
  region: string,
): string {
  const given = environment[`AWS_ENDPOINT_URL_${variable}`] || environment['AWS_ENDPOINT_URL'];
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return given ? `${trimEndOf(given, '/')}/` : `https://${name}.${region}.${domain}/`;
}

/** All items of an operation that gives them in pieces; `token` is how its input and its output call the place to go on from. */
export async function listAws(
  call: CallAws,
  operation: string,
  {
    input,
    items,
    token,
    pagesMax,
  }: { input: JsonObject; items: (output: JsonObject) => readonly JsonValue[]; token: string; pagesMax: number },
): Promise<readonly JsonValue[]> {
  const found: JsonValue[] = [];
  let place: JsonValue | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const output = await call(operation, { ...input, ...(place !== undefined && { [token]: place }) });
    found.push(...items(output));
    const name = Object.keys(output).find((key) => key.toLowerCase() === token.toLowerCase());
    place = name === undefined ? undefined : output[name];
    if (place === undefined || place === null || place === '') return found;
  }
  throw new ProviderError(`${operation} gives more than ${pagesMax} pages`, { status: 200 });
}
