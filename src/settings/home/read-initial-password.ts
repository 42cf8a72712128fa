import type { KubeApi } from '../../kube/index.ts';
import { secretNames, secretType } from '../home-objects.ts';
import { readObject } from '../modify-object.ts';
import { readSecretData, secretText } from '../object-data.ts';

/** The password that the first start made up for admin; undefined where it was chosen by hand or its Secret was deleted. */
export async function readInitialPassword(api: KubeApi, namespace: string): Promise<string | undefined> {
  const secret = await readObject({ api, namespace, randomNumber: () => 0 }, secretType, secretNames.initialAdmin);
  const password = readSecretData(secret).get('password');
  return password === undefined || password === '' ? undefined : secretText(password);
}
