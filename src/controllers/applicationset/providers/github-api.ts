import { createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import { ApiError, Code, trimEndOf } from '../../../base/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import { requireText } from './answer-fields.ts';
import { joinPath } from './http/list-pages.ts';
import type { ProviderClient } from './http/provider-client.ts';
import { openProvider, type ProviderRun } from './open-provider.ts';
import { readSecretRef, type SecretRef } from './read-references.ts';

export interface GithubAccess {
  readonly api?: string | undefined;
  readonly tokenRef?: SecretRef | null | undefined;
  readonly appSecretName?: string | undefined;
}

export interface GithubApi {
  readonly client: ProviderClient;
  /** The address of a part of the API. */
  readonly url: (...segments: readonly string[]) => string;
}

const publicApi = 'https://api.github.com/';
const accept = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

export async function openGithub(run: ProviderRun, { api = '', tokenRef, appSecretName = '' }: GithubAccess): Promise<GithubApi> {
  const app = appSecretName === '' ? undefined : readApp(run, appSecretName);
  const base = githubBase(api || (app?.enterpriseUrl ?? ''));
  const token =
    app === undefined
      ? (await readSecretRef(run.context, tokenRef, run)) || (run.context.environment['GITHUB_TOKEN'] ?? '')
      : await fetchInstallationToken(run, base, app);
  const client = await openProvider(run, {
    headers: { ...accept, ...(token !== '' && { authorization: `Bearer ${token}` }) },
    secrets: [token],
  });
  return { client, url: (...segments) => joinPath(base, ...segments) };
}

/** Servers of one's own have their API below a path; hosts that are named after it do not. */
function githubBase(api: string): string {
  if (api === '') return publicApi;
  if (!URL.canParse(api)) throw new ApiError(Code.InvalidArgument, 'the address of the API of GitHub cannot be read');
  const url = new URL(api);
  const bare = trimEndOf(url.href, '/');
  const isComplete = bare.endsWith('/api/v3') || url.host.startsWith('api.') || url.host.includes('.api.');
  return `${bare}${isComplete ? '' : '/api/v3'}/`;
}

interface GithubApp {
  readonly id: string;
  readonly installationId: string;
  readonly key: KeyObject;
  readonly enterpriseUrl: string;
  /** Changes with every change of it. */
  readonly version: string;
}

function readApp({ context }: ProviderRun, name: string): GithubApp {
  const secret: LabelledSecret | undefined = context.settings.current.labelledSecrets.get(name);
  const read = (field: string): string => secret?.data.get(field)?.reveal().trim() ?? '';
  const key = read('githubAppPrivateKey');
  if (secret?.type !== 'repo-creds' || key === '') throw new ApiError(Code.NotFound, `no github app found for ${name}`);
  if (read('githubAppInstallationID') === '') throw new ApiError(Code.InvalidArgument, 'installation ID is required for github');
  return {
    id: read('githubAppID'),
    installationId: read('githubAppInstallationID'),
    key: parseKey(key, name),
    enterpriseUrl: read('githubAppEnterpriseBaseUrl'),
    version: `${secret.uid}/${secret.resourceVersion}`,
  };
}

function parseKey(text: string, name: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // What is wrong with a key is told by its place alone.
    throw new ApiError(Code.InvalidArgument, `the private key of the github app ${name} cannot be read`);
  }
}

/** Its tokens live for an hour; they are asked for anew a while before. */
const renewBeforeMs = 300_000;

async function fetchInstallationToken(run: ProviderRun, base: string, app: GithubApp): Promise<string> {
  const { tokens, clock } = run.context;
  const key = `github ${base} ${app.version}`;
  const known = tokens.get(key);
  if (known !== undefined && known.expiresMs - renewBeforeMs > clock.nowMs()) return known.token;
  const proof = signProof(app, Math.floor(clock.nowMs() / 1_000));
  const client = await openProvider(run, { headers: { ...accept, authorization: `Bearer ${proof}` }, secrets: [proof] });
  const url = joinPath(base, 'app', 'installations', app.installationId, 'access_tokens');
  const { json } = await client.ask({ method: 'POST', url, body: '{}', headers: { 'content-type': 'application/json' } });
  const token = requireText(json, 'token');
  const expiresMs = Date.parse(requireText(json, 'expires_at'));
  if (!Number.isNaN(expiresMs)) tokens.set(key, { token, expiresMs });
  return token;
}

/** A short-lived token by which the app says who it is. */
function signProof({ id, key }: GithubApp, nowSeconds: number): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  // A clock that is a little ahead would otherwise make tokens of the future.
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iat: nowSeconds - 60, exp: nowSeconds + 540, iss: id })}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`;
}
