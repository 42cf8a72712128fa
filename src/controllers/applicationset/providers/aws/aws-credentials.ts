import { readFile } from 'node:fs/promises';
import { ApiError, Code } from '../../../../base/index.ts';
import type { JsonValue } from '../../../../objects/index.ts';
import { requireText, textAt, valueAt } from '../answer-fields.ts';
import { openProvider, type ProviderRun } from '../open-provider.ts';
import { awsAddress } from './aws-api.ts';
import { signAwsRequest, type AwsCredentials } from './sign-request.ts';

const stsService = { name: 'sts', variable: 'STS' };
const containerHost = 'http://169.254.170.2';
const sessionName = 'argocd-applicationset';

/**
 * The credentials of this process, in the order in which clients of AWS look for them: in the environment, by a token that Kubernetes
 * writes for the pod (web identity), from the container's own service, from that of the machine. With `role` they are traded for those
 * of another role.
 */
export async function findAwsCredentials(run: ProviderRun, region: string, role: string): Promise<AwsCredentials> {
  const own = readEnvironment(run) ?? (await askWithWebIdentity(run, region)) ?? (await askContainer(run)) ?? (await askMachine(run));
  if (role === '') return own;
  return askForRole(run, { Action: 'AssumeRole', RoleArn: role }, { region, credentials: own });
}

function readEnvironment({ context: { environment } }: ProviderRun): AwsCredentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken = '' } = environment;
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : undefined;
}

async function askWithWebIdentity(run: ProviderRun, region: string): Promise<AwsCredentials | undefined> {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role, AWS_ROLE_SESSION_NAME: name } = run.context.environment;
  if (!file || !role) return undefined;
  const token = await readToken(file);
  const parameters = {
    Action: 'AssumeRoleWithWebIdentity',
    RoleArn: role,
    WebIdentityToken: token,
    ...(name && { RoleSessionName: name }),
  };
  return askForRole(run, parameters, { region });
}

async function askForRole(
  run: ProviderRun,
  parameters: Readonly<Record<string, string>>,
  { region, credentials }: { readonly region: string; readonly credentials?: AwsCredentials },
): Promise<AwsCredentials> {
  const { environment, clock } = run.context;
  const url = awsAddress(environment, stsService, region);
  const secrets = [credentials?.secretAccessKey ?? '', parameters['WebIdentityToken'] ?? ''];
  const client = await openProvider(run, { secrets });
  const body = new URLSearchParams({ Version: '2011-06-15', RoleSessionName: sessionName, ...parameters }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', accept: 'application/json' };
  const request = { url: new URL(url), method: 'POST', headers, body };
  const sign = () =>
    credentials === undefined ? {} : signAwsRequest(request, { credentials, region, service: 'sts', nowMs: clock.nowMs() });
  const { json } = await client.ask({ method: 'POST', url, headers, body, sign });
  const action = parameters['Action'] ?? '';
  return readCredentials(valueAt(json, `${action}Response`, `${action}Result`, 'Credentials'), 'SessionToken');
}

/** The service that hands a container, or a pod, the credentials of its role. */
async function askContainer(run: ProviderRun): Promise<AwsCredentials | undefined> {
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

const machineHost = 'http://169.254.169.254';
/** It is on the machine itself, or nowhere. */
const machineMs = 2_000;

/** The service that hands a machine the credentials of its role, with a token of its own first. */
async function askMachine(run: ProviderRun): Promise<AwsCredentials> {
  const { environment, limits } = run.context;
  const base = `${(environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || machineHost).replace(/\/+$/, '')}/latest`;
  const none = 'no credentials for AWS: neither keys, nor a web identity, nor those of a container or a machine';
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

function readCredentials(value: JsonValue | undefined, tokenName: string): AwsCredentials {
  return {
    accessKeyId: requireText(value, 'AccessKeyId'),
    secretAccessKey: requireText(value, 'SecretAccessKey'),
    sessionToken: textAt(value, tokenName) ?? '',
  };
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new ApiError(Code.FailedPrecondition, 'the file with the token for AWS cannot be read', { cause: error });
  }
}
