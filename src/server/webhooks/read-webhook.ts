import type { WebhookSecrets } from '../../settings/index.ts';
import { azureDevOps } from './providers/azure-devops.ts';
import { bitbucketCloud } from './providers/bitbucket-cloud.ts';
import { bitbucketServer } from './providers/bitbucket-server.ts';
import { github, githubPackages } from './providers/github.ts';
import { gitlab } from './providers/gitlab.ts';
import { gogs } from './providers/gogs.ts';
import type { WebhookEvent } from './webhook-event.ts';
import type { WebhookProvider, WebhookRequest } from './webhook-provider.ts';

const providers: readonly WebhookProvider[] = [azureDevOps, gogs, github, gitlab, bitbucketCloud, bitbucketServer, githubPackages];

/** One push moves fewer branches and tags than this, unless it is meant to keep us busy. */
const eventsMax = 1_000;

/** A webhook that is not taken, and what its sender is told. */
export class WebhookRefusal extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = 'WebhookRefusal';
    this.status = status;
  }
}

/** Whose webhook it is. Throws where it is nobody's, or where its headers are those of two. */
export function findWebhookProvider(headers: WebhookRequest['headers']): WebhookProvider {
  const found = providers.filter((provider) => provider.recognises(headers));
  const [provider] = found;
  if (provider === undefined) throw new WebhookRefusal(400, 'Unknown webhook event');
  // Whoever sends the headers of two could choose which secret counts.
  if (found.length > 1) throw new WebhookRefusal(400, 'Webhook processing failed');
  return provider;
}

/** What a webhook tells. The secret is checked on the bytes as they came, before anything else is done with them. */
export function readWebhook(
  provider: WebhookProvider,
  request: WebhookRequest,
  { secrets, megabytesMax }: { readonly secrets: WebhookSecrets; readonly megabytesMax: number },
): readonly WebhookEvent[] {
  if (request.body.length === 0) throw tooLargeOrMalformed(megabytesMax);
  if (!provider.verify(request, secrets)) {
    const { status, text } = provider.refusal ?? { status: 400, text: 'Webhook processing failed' };
    throw new WebhookRefusal(status, text);
  }
  const events = provider.read(request.headers, parsePayload(request.body, megabytesMax));
  if (events === undefined) throw new WebhookRefusal(400, 'Webhook processing failed');
  return events.slice(0, eventsMax);
}

export function tooLargeOrMalformed(megabytesMax: number): WebhookRefusal {
  return new WebhookRefusal(400, `Webhook processing failed: payload must be valid JSON under ${megabytesMax} MB`);
}

function parsePayload(body: Uint8Array, megabytesMax: number): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString()) as unknown;
  } catch {
    throw tooLargeOrMalformed(megabytesMax);
  }
}
