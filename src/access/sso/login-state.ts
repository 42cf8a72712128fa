import { hkdfSync } from 'node:crypto';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { compactDecrypt } from 'jose/jwe/compact/decrypt';

/** How long somebody may take to sign in at the provider. */
export const loginStateSeconds = 5 * 60;
export const loginStateCookie = 'argocd.oauthstate';

const sealedLengthMax = 4_000;

/** What a browser keeps for us while its user is at the provider, unreadable to both. */
export interface LoginState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnAddress: string;
  readonly redirectUri: string;
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

export async function sealLoginState(state: LoginState, signingKey: Uint8Array): Promise<string | undefined> {
  const sealed = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(state)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(deriveKey(signingKey));
  return sealed.length > sealedLengthMax ? undefined : sealed;
}

/** Undefined unless it is from us and not over. */
export async function openLoginState(sealed: string, signingKey: Uint8Array, nowMs: number): Promise<LoginState | undefined> {
  if (sealed === '' || sealed.length > sealedLengthMax) return undefined;
  try {
    const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
    const { plaintext } = await compactDecrypt(sealed, deriveKey(signingKey), options);
    const state = JSON.parse(new TextDecoder().decode(plaintext)) as LoginState;
    return state.expiresAtMs > nowMs ? state : undefined;
  } catch {
    // Whatever is wrong with it, it is not what we gave out.
    return undefined;
  }
}

export function formatLoginStateCookie(sealed: string, options: { readonly secure: boolean }): string {
  const age = sealed === '' ? 0 : loginStateSeconds;
  return `${loginStateCookie}=${sealed}; Max-Age=${age}; path=/; SameSite=lax; httpOnly${options.secure ? '; Secure' : ''}`;
}

/** A key for this and nothing else, so that what is sealed here can never be taken for a session. */
function deriveKey(signingKey: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', signingKey, '', 'fairway single sign-on state', 32));
}
