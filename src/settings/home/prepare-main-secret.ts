import { formatTime, type JsonObject, type KubeObject } from '../../objects/index.ts';
import { configMapNames, configMapType, partOfLabel, partOfValue, secretNames, secretType } from '../home-objects.ts';
import { modifyObject, readObject, type Home } from '../modify-object.ts';
import { encodeSecretText, readConfigMapData, readSecretData, secretText } from '../object-data.ts';
import type { SettingsRandom } from '../random.ts';
import { readTable } from '../read-table.ts';
import { generalTable } from '../tables/general-settings.ts';
import { generatePassword } from './generate-password.ts';
import { missingCertificate } from './prepare-certificate.ts';
import type { PrepareHomeOptions } from './prepare-home.ts';

const signingKeyBytes = 32;

export interface MadeSecrets {
  /** The password of admin when this start set a random one: to be shown once. */
  readonly generatedPassword: string | undefined;
}

interface MainSecretOptions extends PrepareHomeOptions {
  readonly home: Home;
  readonly random: SettingsRandom;
  readonly note: (kind: string, name: string) => void;
}

/** Completes argocd-secret: the signing key, the password of admin and, where it is asked for, a certificate. */
export async function prepareMainSecret(options: MainSecretOptions): Promise<MadeSecrets> {
  const { home, note, certificate } = options;
  let generatedPassword: string | undefined;
  const { written } = await modifyObject(home, {
    type: secretType,
    name: secretNames.main,
    change: async (existing) => {
      const present = readSecretData(existing);
      const password = await choosePassword(options, present);
      generatedPassword = password?.generated;
      const missing = {
        ...signingKey(options, present),
        ...password?.data,
        ...(certificate && (await missingCertificate(home, certificate, present))),
      };
      if (existing === undefined) return makeSecret(home.namespace, secretNames.main, missing);
      if (Object.keys(missing).length === 0) return undefined;
      return { ...existing, data: { ...(existing['data'] as JsonObject | undefined), ...missing } };
    },
  });
  if (written) note('Secret', secretNames.main);
  return { generatedPassword: written ? generatedPassword : undefined };
}

type SecretData = Readonly<Record<string, string>>;

/** Stored as the text of its base64, and the text is the key: that is how existing installations do it. */
function signingKey({ random, formerAdmin }: MainSecretOptions, present: ReadonlyMap<string, string>): SecretData {
  if (present.get('server.secretkey')) return {};
  if (formerAdmin !== undefined) return { 'server.secretkey': Buffer.from(formerAdmin.signingKey).toString('base64') };
  return { 'server.secretkey': encodeSecretText(Buffer.from(random.bytes(signingKeyBytes)).toString('base64')) };
}

async function choosePassword(
  options: MainSecretOptions,
  present: ReadonlyMap<string, string>,
): Promise<{ readonly data: SecretData; readonly generated: string | undefined } | undefined> {
  if (present.get('admin.password') || !(await isAdminEnabled(options.home))) return undefined;
  const { firstPassword, formerAdmin, hashPassword, clock, random } = options;
  if (formerAdmin !== undefined) {
    if (formerAdmin.initialPassword !== undefined) await agreeOnPassword(options, formerAdmin.initialPassword);
    return { data: passwordData(formerAdmin.passwordHash, formerAdmin.passwordChangedAt * 1000), generated: undefined };
  }
  const password = firstPassword ?? (await agreeOnPassword(options, generatePassword(random)));
  return {
    data: passwordData(await hashPassword(password), clock.nowMs()),
    generated: firstPassword === undefined ? password : undefined,
  };
}

function passwordData(hash: string, changedAtMs: number): SecretData {
  return { 'admin.password': encodeSecretText(hash), 'admin.passwordMtime': encodeSecretText(formatTime(changedAtMs)) };
}

/**
 * The given random password, kept where people look for it before it counts: should anything fail in between, the next start takes the same
 * one, and of several replicas the first to write decides for all.
 */
async function agreeOnPassword({ home, note }: MainSecretOptions, password: string): Promise<string> {
  const made = encodeSecretText(password);
  const { object, written } = await modifyObject(home, {
    type: secretType,
    name: secretNames.initialAdmin,
    change: (existing) => {
      if (existing === undefined) return makeSecret(home.namespace, secretNames.initialAdmin, { password: made });
      if (readSecretData(existing).get('password')) return undefined;
      return { ...existing, data: { ...(existing['data'] as JsonObject | undefined), password: made } };
    },
  });
  if (written) note('Secret', secretNames.initialAdmin);
  return secretText(readSecretData(object).get('password') ?? '');
}

/** An installation that has switched the account off gets no password for it. */
async function isAdminEnabled(home: Home): Promise<boolean> {
  const data = readConfigMapData(await readObject(home, configMapType, configMapNames.general));
  return readTable({ table: generalTable, object: configMapNames.general, data, previous: undefined }).values.adminEnabled;
}

function makeSecret(namespace: string, name: string, data: SecretData): KubeObject {
  const labels = { 'app.kubernetes.io/name': name, [partOfLabel]: partOfValue };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, labels }, type: 'Opaque', data };
}
