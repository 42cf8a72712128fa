import { afterEach, beforeEach, expect, it } from 'vitest';
import { configMap, openEmbeddedHome, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import { kinds } from '../../../test/support/kinds.ts';
import { createServiceCall } from '../../../test/support/service-call.ts';
import { createNotificationService } from './notification.ts';

let home: EmbeddedHome;
beforeEach(async () => {
  home = await openEmbeddedHome();
});
afterEach(() => home.close());

it('names what notifications are configured, and nothing where none are', async () => {
  const service = createNotificationService({ home: home.api, namespace: 'argocd' });
  const call = createServiceCall('/notification.NotificationService/ListTriggers');
  const ask = async () => ({
    triggers: await service.ListTriggers({}, call),
    templates: await service.ListTemplates({}, call),
    services: await service.ListServices({}, call),
  });
  expect(await ask()).toEqual({ triggers: { items: [] }, templates: { items: [] }, services: { items: [] } });
  await home.api.create(
    kinds.configMap,
    configMap('argocd-notifications-cm', {
      'trigger.on-sync.failed': '[]',
      'trigger.on-deployed': '[]',
      'template.sync-failed': 'message: x',
      'service.slack': 'token: $slack-token',
      'service.webhook.github': 'url: https://example.com',
      'service.webhook.a.b': 'no service',
      context: 'a: b',
    }),
  );
  expect(await ask()).toEqual({
    triggers: { items: [{ name: 'on-deployed' }, { name: 'on-sync.failed' }] },
    templates: { items: [{ name: 'sync-failed' }] },
    services: { items: [{ name: 'github' }, { name: 'slack' }] },
  });
});
