import { describe, expect, it } from 'vitest';
import { scriptedKubeApi } from '../../test/support/scripted-kube-api.ts';
import { isStatusError, statusError, type KubeObject, type StatusDetails, type StatusReason } from '../objects/index.ts';
import { withQuietRefusals } from './with-quiet-refusals.ts';

const CANARY = 'Y2FuYXJ5';
const secrets = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const configMaps = { ...secrets, plural: 'configmaps', kind: 'ConfigMap' };
const object: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'vault', name: 'web' } };
const ref = { namespace: 'vault', name: 'web' };

/** What becomes of a refusal, whichever verb it answers. */
async function told(reason: Exclude<StatusReason, ''>, message: string, details?: StatusDetails, type = secrets): Promise<string> {
  const refuse = (): never => {
    throw statusError(reason, message, details);
  };
  const unscripted = scriptedKubeApi({ list: refuse, watch: refuse });
  const api = withQuietRefusals({ ...unscripted, create: refuse, update: refuse, patch: refuse, delete: refuse });
  const calls = [
    () => api.create(type, object),
    () => api.update(type, object),
    () => api.patch(type, ref, { type: 'merge', body: {} }),
    () => api.delete(type, ref),
  ];
  const answers = await Promise.all(
    calls.map((call) =>
      call().catch((error: unknown) => {
        expect(isStatusError(error, reason)).toBe(true);
        expect(JSON.stringify(error)).not.toContain(CANARY);
        return (error as Error).message;
      }),
    ),
  );
  expect(new Set(answers).size).toBe(1);
  return String(answers[0]);
}

describe('A refusal to write a Secret', () => {
  it('names the fields, and nothing that is in them', async () => {
    const dump = `map[data:map[pw:${CANARY}!] metadata:map[annotations:map[last-applied:{"data":{"pw":"${CANARY}"}}]]]`;
    const patch = { causes: [{ field: 'patch', message: `Invalid value: "${dump}"` }] };
    expect(await told('Invalid', ` "" is invalid: patch: Invalid value: "${dump}": illegal base64 data`, patch)).toBe(
      'the cluster refuses the Secret vault/web (Invalid: patch)',
    );
    const data = { causes: [{ field: 'data[.dockerconfigjson]', message: `Invalid value: "${CANARY}"` }, { field: 'type' }] };
    expect(await told('Invalid', `Secret "web" is invalid: data: ${CANARY}`, data)).toBe(
      'the cluster refuses the Secret vault/web (Invalid: data[.dockerconfigjson], type)',
    );
  });

  it('says no more than why where admission or a decoder speaks', async () => {
    const causes = [{ field: CANARY, message: CANARY }];
    for (const [reason, message] of [
      ['Forbidden', `admission webhook "guard.example" denied the request: ${CANARY}`],
      ['NotFound', `admission webhook "guard.example" denied the request: secrets "${CANARY}" not found`],
      ['Forbidden', `secrets "web" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${CANARY}`],
      ['BadRequest', `Secret in version "v1" cannot be handled as a Secret: ${CANARY}`],
      ['InternalError', CANARY],
    ] as const)
      expect(await told(reason, message, { causes })).toBe(`the cluster refuses the Secret vault/web (${reason})`);
  });

  it.each([
    ['NotFound', 'namespaces "vault" not found'],
    ['AlreadyExists', 'secrets "web" already exists'],
    ['Conflict', 'Operation cannot be fulfilled on secrets "web": the object has been modified; please apply your changes to the latest'],
    ['Forbidden', 'secrets "web" is forbidden: User "u" cannot create resource "secrets" in API group "" in the namespace "vault"'],
    ['Forbidden', 'secrets "web" is forbidden: exceeded quota: none, requested: secrets=1, used: secrets=0, limited: secrets=0'],
    ['BadRequest', 'admission webhook "guard.example" does not support dry run'],
  ] as const)('is told where it holds nothing of it: %s %s', async (reason, message) => {
    expect(await told(reason, message)).toBe(message);
  });

  it('is not confused with one of another kind', async () => {
    expect(await told('Invalid', 'ConfigMap "web" is invalid: data', {}, configMaps)).toBe('ConfigMap "web" is invalid: data');
  });
});
