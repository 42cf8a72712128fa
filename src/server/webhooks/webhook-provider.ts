import type { Sealed, WebhookSecrets } from '../../settings/index.ts';
import type { WebhookEvent } from './webhook-event.ts';

export interface WebhookRequest {
  /** Lower-case names; repeated headers are joined, so that they are no name or signature any more. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as they came. */
  readonly body: Uint8Array;
}

/** Who sends webhooks, and how they are read. */
export interface WebhookProvider {
  readonly name: string;
  /** Whether the headers are those of this provider. */
  recognises(headers: WebhookRequest['headers']): boolean;
  /** Whether it knows the secret; true where none is set. */
  verify(request: WebhookRequest, secrets: WebhookSecrets): boolean;
  /** What it tells: nothing, for a greeting or for what does not concern us; undefined for a kind of event that is not taken. */
  read(headers: WebhookRequest['headers'], payload: unknown): readonly WebhookEvent[] | undefined;
  /** How a wrong or missing signature is answered, where that is not as for the others. */
  readonly refusal?: { readonly status: number; readonly text: string };
}

/** The text of a secret; undefined where none is set. */
export function revealSecret(secret: Sealed<string> | undefined): string | undefined {
  return secret?.reveal() || undefined;
}

/** `refs/heads/main` → `main`. */
export function shortRef(ref: string): string {
  return /^refs\/[^/]+\/(.+)$/s.exec(ref)?.[1] ?? ref;
}
