import { ApiError, Code, pause } from '../../../base/index.ts';
import type { RegistrationEntry } from '../../../clusters/index.ts';
import type { ClusterQuery, ClusterResponse } from '../../../contract/index.ts';
import type { KubeApi, ResourceType } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject, isStatusError, type JsonObject, type JsonValue, type KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { withHomeErrors } from '../../home-errors.ts';
import { entryOf, probe } from './change-cluster.ts';
import type { ClusterServiceOptions } from './cluster-context.ts';
import { findCluster } from './find-clusters.ts';

const SECRET: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const SERVICE_ACCOUNT: ResourceType = { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true };
const CLAIM = 'kubernetes.io/serviceaccount/';
/** How long the cluster may take to write a token into its Secret, and how often we look. */
const TOKEN_LIMIT_MS = 30_000;
const TOKEN_POLL_MS = 250;

/** Who a token stands for, as it says itself. */
interface TokenOwner {
  readonly namespace: string;
  readonly account: string;
  readonly secret: string;
}

/** Gives a cluster's service account a new token, and takes the old one away when the new one has proven itself and is stored. */
export async function rotateAuth(context: ClusterServiceOptions, query: ClusterQuery, call: Call): Promise<ClusterResponse> {
  const { registration, api } = findCluster(context, query, call, 'update');
  const entry = entryOf(registration);
  const token = entry.config['bearerToken'];
  if (typeof token !== 'string' || token === '') {
    throw new ApiError(Code.InvalidArgument, `Cluster '${registration.server}' does not use bearer token authentication`);
  }
  const owner = readOwner(token);
  await withHomeErrors(async () => {
    const made = await makeToken(api, owner, context, call.signal);
    try {
      const renewed = withToken(entry, made.token);
      await probe(context, renewed, call);
      await context.registry.update(registration, renewed, call.signal);
    } catch (error) {
      // What went wrong first is what the caller has to know; the token that is left opens nothing more than the old one.
      await removeSecret(api, owner.namespace, made.secret).catch(() => undefined);
      throw error;
    }
    // With the new token the cluster has a new client, and the one that was used so far is closed.
    const renewed = context.clusters.find(registration.server);
    if (renewed !== undefined) await retireToken(renewed.api, owner, made.secret);
  });
  return {};
}

function withToken(entry: RegistrationEntry, bearerToken: string): RegistrationEntry {
  const tls = entry.config['tlsClientConfig'];
  const { certData: _certificate, keyData: _key, ...kept } = isJsonObject(tls) ? tls : { insecure: false };
  return { ...entry, config: { ...entry.config, bearerToken, tlsClientConfig: kept } };
}

/** The claims are read and not verified: they only say where to look, and the cluster decides what may be done there. */
function readOwner(token: string): TokenOwner {
  const claims = parseClaims(token);
  const text = (name: string): string => {
    const value = claims[`${CLAIM}${name}`];
    return typeof value === 'string' ? value : '';
  };
  const owner = { namespace: text('namespace'), account: text('service-account.name'), secret: text('secret.name') };
  if (owner.namespace === '' || owner.account === '' || owner.secret === '') {
    throw new ApiError(Code.InvalidArgument, 'the bearer token is not one of a service account that is kept in a Secret');
  }
  return owner;
}

function parseClaims(token: string): JsonObject {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return isJsonObject(claims) ? claims : {};
  } catch {
    // The parser would quote the token.
    return {};
  }
}

async function makeToken(
  api: KubeApi,
  { namespace, secret }: TokenOwner,
  { timers }: ClusterServiceOptions,
  signal: AbortSignal,
): Promise<{ readonly secret: string; readonly token: string }> {
  const old = await api.get(SECRET, { namespace, name: secret }, { signal });
  const { annotations = {} } = old.metadata;
  const made = await api.create(
    SECRET,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, generateName: `${secret.split('-').slice(0, -1).join('-') || secret}-`, annotations },
      type: 'kubernetes.io/service-account-token',
    },
    { signal },
  );
  const name = made.metadata.name ?? '';
  const deadlineMs = timers.nowMs() + TOKEN_LIMIT_MS;
  while (timers.nowMs() < deadlineMs && !signal.aborted) {
    const token = tokenOf(await api.get(SECRET, { namespace, name }, { signal }));
    if (token !== undefined) return { secret: name, token };
    await pause(timers, TOKEN_POLL_MS, signal);
  }
  await removeSecret(api, namespace, name);
  throw new ApiError(Code.DeadlineExceeded, 'the cluster made no new token in time');
}

function tokenOf(secret: KubeObject): string | undefined {
  const data = secret['data'];
  const token = isJsonObject(data) ? data['token'] : undefined;
  return typeof token === 'string' && token !== '' ? Buffer.from(token, 'base64').toString() : undefined;
}

/** The old token goes last: until then everything still works with it. */
async function retireToken(api: KubeApi, { namespace, account, secret }: TokenOwner, successor: string): Promise<void> {
  const holder = await api.get(SERVICE_ACCOUNT, { namespace, name: account });
  const listed = holder['secrets'];
  if (isJsonArray(listed) && listed.some((one) => nameOf(one) === secret)) {
    const secrets = listed.map((one) => (nameOf(one) === secret ? { name: successor } : one));
    await api.update(SERVICE_ACCOUNT, { ...holder, secrets });
  }
  await removeSecret(api, namespace, secret);
}

function nameOf(reference: JsonValue): JsonValue | undefined {
  return isJsonObject(reference) ? reference['name'] : undefined;
}

async function removeSecret(api: KubeApi, namespace: string, name: string): Promise<void> {
  try {
    await api.delete(SECRET, { namespace, name });
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
}
