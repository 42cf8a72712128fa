import { ApiError, Code } from '../../../../base/index.ts';
import type { JsonValue } from '../../../../objects/index.ts';
import { openProvider, type ProviderRun } from '../open-provider.ts';
import { readCredentials, readToken } from './role-credentials.ts';
import type { AwsCredentials } from './sign-request.ts';

const containerHost = 'http://169.254.170.2';
const machineHost = 'http://169.254.169.254';
/** It is on the machine itself, or nowhere. */
const machineMs = 2_000;

/** From the service that hands a container, or a pod, the credentials of its role; undefined where there is none. */
export async function askContainer(run: ProviderRun): Promise<AwsCredentials | undefined> {
  const { environment } = run.context;
  const relative = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  const url = relative ? `${containerHost}${relative}` : environment['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  if (!url) return undefined;
  const file = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
  const token = file ? await readToken(file) : (environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'] ?? '');
  const client = await openProvider(run, {
    headers: token === '' ? {} : { authorization: token },
    secrets: [token],
    allowLinkLocal: true,
  });
  return readCredentials((await client.ask({ url })).json, 'Token');
}

/** From the service that hands a machine the credentials of its role, with a token of its own first. */
export async function askMachine(run: ProviderRun): Promise<AwsCredentials> {
  const { environment, limits } = run.context;
  const base = `${(environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || machineHost).replace(/\/+$/, '')}/latest`;
  const none = 'no credentials for AWS: neither keys, nor a web identity, nor a profile with them, nor those of a container or a machine';
  if (environment['AWS_EC2_METADATA_DISABLED'] === 'true') throw new ApiError(Code.FailedPrecondition, none);
  const hurried = { ...run, context: { ...run.context, limits: { ...limits, attemptsMax: 1 } } };
  const client = await openProvider(hurried, { allowLinkLocal: true });
  const ask = async (method: 'GET' | 'PUT', path: string, headers: Record<string, string>): Promise<string> => {
    try {
      const { json } = await client.ask({ method, url: `${base}/${path}`, headers, isText: true, requestMs: machineMs });
      return typeof json === 'string' ? json : '';
    } catch (error) {
      throw new ApiError(Code.FailedPrecondition, none, { cause: error });
    }
  };
  const token = { 'x-aws-ec2-metadata-token': await ask('PUT', 'api/token', { 'x-aws-ec2-metadata-token-ttl-seconds': '300' }) };
  const [role = ''] = (await ask('GET', 'meta-data/iam/security-credentials/', token)).split('\n');
  const text = await ask('GET', `meta-data/iam/security-credentials/${encodeURIComponent(role)}`, token);
  try {
    return readCredentials(JSON.parse(text) as JsonValue, 'Token');
  } catch (error) {
    throw new ApiError(Code.FailedPrecondition, none, { cause: error });
  }
}
