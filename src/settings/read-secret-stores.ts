import type { KubeObject } from '../objects/index.ts';
import { readLockouts } from './accounts/lockouts.ts';
import { labelledSecretTypes, partOfLabel, partOfValue, secretNames, secretTypeLabel, type LabelledSecretType } from './home-objects.ts';
import type { HomeState } from './home-state.ts';
import { readSecretData, secretText } from './object-data.ts';
import { keepMap } from './read-table.ts';
import { keepIdentity } from './same-value.ts';
import { Sealed } from './sealed.ts';
import type { LabelledSecret, ServerCertificate, Snapshot } from './snapshot.ts';

interface SecretStores extends Pick<Snapshot, 'certificate' | 'labelledSecrets' | 'revokedTokens' | 'lockouts'> {
  /** The contents that `$secret:key` can name, by Secret. */
  readonly referable: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** What is in other Secrets than argocd-secret. */
export function readSecretStores(state: HomeState, before: Snapshot | undefined): SecretStores {
  const labelled = new Map<string, LabelledSecret>();
  const referable = new Map<string, ReadonlyMap<string, string>>();
  for (const object of state.secrets()) {
    const { name = '', labels = {} } = object.metadata;
    if (labels[partOfLabel] === partOfValue) referable.set(name, readSecretData(object));
    const type = labelledSecretTypes.find((one) => one === labels[secretTypeLabel]);
    if (type !== undefined) labelled.set(name, readLabelled(object, type, before?.labelledSecrets.get(name)));
  }
  return {
    referable,
    labelledSecrets: keepMap(before?.labelledSecrets, labelled) as ReadonlyMap<string, LabelledSecret>,
    certificate: keepIdentity(before?.certificate, readCertificate(state)),
    revokedTokens: keepNumbers(before?.revokedTokens, currentRevokedTokens(state, before)),
    lockouts: keepNumbers(before?.lockouts, readLockouts(state.secret(secretNames.lockouts))),
  };
}

/** When the Secret goes, what it said stays: sessions that were ended must not begin anew. */
function currentRevokedTokens(state: HomeState, before: Snapshot | undefined): ReadonlyMap<string, number> {
  const secret = state.secret(secretNames.revokedTokens);
  return secret === undefined && before !== undefined ? before.revokedTokens : readRevokedTokens(secret);
}

function keepNumbers(before: ReadonlyMap<string, number> | undefined, now: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return keepMap(before, now) as ReadonlyMap<string, number>;
}

/** There may be thousands of them, and they are asked for with every change of anything: each version of the Secret is read once. */
const revokedTokensOf = new WeakMap<KubeObject, ReadonlyMap<string, number>>();
const noTokens: ReadonlyMap<string, number> = new Map<string, number>();

/** Seconds since the epoch by hashed token id. */
export function readRevokedTokens(object: KubeObject | undefined): ReadonlyMap<string, number> {
  if (object === undefined) return noTokens;
  const known = revokedTokensOf.get(object);
  if (known !== undefined) return known;
  const entries = [...readSecretData(object)].map(([id, seconds]): [string, number] => [id, Number(seconds)]);
  const tokens = new Map(entries.filter(([, expiresAt]) => Number.isSafeInteger(expiresAt) && expiresAt > 0));
  revokedTokensOf.set(object, tokens);
  return tokens;
}

function readLabelled(object: KubeObject, type: LabelledSecretType, before: LabelledSecret | undefined): LabelledSecret {
  const { name = '', uid = '', resourceVersion = '', labels = {}, annotations = {} } = object.metadata;
  // The version says it all: there may be thousands of them, and most did not change.
  if (before !== undefined && before.uid === uid && before.resourceVersion === resourceVersion && before.type === type) return before;
  const data = new Map([...readSecretData(object)].map(([key, content]) => [key, new Sealed(secretText(content))]));
  return Object.freeze({ name, type, uid, resourceVersion, labels, annotations, data });
}

/** The Secret that is managed from outside wins. */
function readCertificate(state: HomeState): ServerCertificate | undefined {
  for (const secret of [secretNames.serverTls, secretNames.main]) {
    const data = readSecretData(state.secret(secret));
    const certificate = data.get('tls.crt');
    const key = data.get('tls.key');
    if (certificate && key) return Object.freeze({ secret, certificate: secretText(certificate), key: new Sealed(secretText(key)) });
  }
  return undefined;
}
