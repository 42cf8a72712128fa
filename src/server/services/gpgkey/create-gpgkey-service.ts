import type { Policy } from '../../../access/index.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { GnuPGPublicKey, GPGKeyService } from '../../../contract/index.ts';
import type { KubeApi } from '../../../kube/index.ts';
import type { Settings } from '../../../settings/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import { changeConfigMap } from '../certificate/change-config-map.ts';
import { armour, dearmour } from './armour.ts';
import { readPublicKeys, type PublicKey } from './read-public-keys.ts';

const CONFIG_MAP = 'argocd-gpg-keys-cm';
const KEY_DATA_LENGTH_MAX = 1_000_000;

export interface GpgkeyServiceOptions {
  readonly home: KubeApi;
  readonly namespace: string;
  readonly settings: Settings;
  readonly policy: Policy;
}

/** The public keys by which signatures of commits are checked. */
export function createGpgkeyService(context: GpgkeyServiceOptions): GPGKeyService<Call> {
  const { policy, settings } = context;
  const allow = (call: Call, action: string): void => requireAllowed(policy, call, { resource: 'gpgkeys', action, object: '' });
  const change = <Result>(call: Call, edit: (data: Map<string, string>) => Result): Promise<Result> =>
    changeConfigMap({ ...context, name: CONFIG_MAP, signal: call.signal }, edit);

  return {
    List({ keyID = '' }, call) {
      allow(call, 'get');
      const wanted = keyID === '' ? undefined : shortId(keyID);
      const items = [...settings.current.gpgKeys].flatMap(([id, text]) => describeStored(id, text));
      const sorted = items.toSorted((left, right) => (left.keyID < right.keyID ? -1 : 1));
      return { items: sorted.filter((key) => wanted === undefined || key.keyID === wanted) };
    },
    Get({ keyID = '' }, call) {
      allow(call, 'get');
      const id = shortId(keyID);
      const text = settings.current.gpgKeys.get(id);
      const [key] = text === undefined ? [] : describeStored(id, text);
      if (text === undefined || key === undefined) throw new ApiError(Code.NotFound, `no such key: ${id}`);
      return { ...key, keyData: text };
    },
    async Create({ publickey }, call) {
      allow(call, 'create');
      const keys = parseKeys((publickey?.keyData ?? '').trim());
      const created = await change(call, (data) => {
        const fresh = keys.filter(({ keyId }) => !data.has(keyId));
        for (const { keyId, bytes } of fresh) data.set(keyId, armour(bytes));
        return fresh;
      });
      const skipped = keys.filter((key) => !created.includes(key)).map(({ keyId }) => keyId);
      return { created: { items: created.map(describeKey) }, ...(skipped.length > 0 && { skipped }) };
    },
    async Delete({ keyID = '' }, call) {
      allow(call, 'delete');
      const id = shortId(keyID);
      await change(call, (data) => {
        if (!data.delete(id)) throw new ApiError(Code.NotFound, `no such key configured: ${id}`);
      });
      return {};
    },
  };
}

/** The id of a key by that id or by its fingerprint. */
function shortId(text: string): string {
  if (!/^(?:[0-9a-f]{16}|[0-9a-f]{40})$/i.test(text))
    throw new ApiError(Code.InvalidArgument, `'${text.slice(0, 100)}' is not a valid GnuPG key ID`);
  return text.slice(-16).toUpperCase();
}

function parseKeys(text: string): readonly PublicKey[] {
  if (text === '') throw new ApiError(Code.InvalidArgument, 'submitted key data is empty');
  if (text.length > KEY_DATA_LENGTH_MAX) throw new ApiError(Code.InvalidArgument, 'the submitted key data is too long');
  try {
    const keys = new Map(readPublicKeys(dearmour(text)).map((key) => [key.keyId, key]));
    return [...keys.values()];
  } catch (error) {
    throw new ApiError(Code.InvalidArgument, `the submitted key data cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}

/** What is kept under an id that is not its own is not shown: nothing is checked by it. */
function describeStored(id: string, text: string): GnuPGPublicKey[] {
  try {
    return readPublicKeys(dearmour(text))
      .filter(({ keyId }) => keyId === id.toUpperCase())
      .map(describeKey);
  } catch {
    // Written by hand, and no key.
    return [];
  }
}

function describeKey({ keyId, fingerprint, owner, subType }: PublicKey): GnuPGPublicKey {
  return { keyID: keyId, fingerprint, owner, subType, trust: 'unknown' };
}
