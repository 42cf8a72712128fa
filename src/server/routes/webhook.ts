import type { HttpHandler } from '../http.ts';
import type { Webhooks } from '../webhooks/create-webhooks.ts';
import { WebhookRefusal } from '../webhooks/read-webhook.ts';

/** Where repositories and registries tell of what happened in them. Anyone may call it; secrets of the settings say who is believed. */
export function createWebhookRoute({ accept }: Pick<Webhooks, 'accept'>): HttpHandler {
  return async (request) => {
    try {
      return await accept(request);
    } catch (error) {
      if (!(error instanceof WebhookRefusal)) throw error;
      return { status: error.status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${error.message}\n` };
    }
  };
}
