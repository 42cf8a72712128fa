import type { NotificationService } from '../../contract/index.ts';
import type { KubeApi, ResourceType } from '../../kube/index.ts';
import { isJsonObject, isStatusError } from '../../objects/index.ts';
import type { Call } from '../call.ts';
import { fromHomeError } from '../home-errors.ts';

const configMapType: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const CONFIG_MAP = 'argocd-notifications-cm';

export interface NotificationServiceOptions {
  readonly home: KubeApi;
  readonly namespace: string;
}

/** What notifications are configured: names alone, for everyone who is signed in. Nothing is configured where the ConfigMap is not there. */
export function createNotificationService({ home, namespace }: NotificationServiceOptions): NotificationService<Call> {
  async function names(prefix: string, { signal }: Call, nameOf: (rest: string) => string | undefined): Promise<{ name: string }[]> {
    const configured = (await keys(signal)).filter((key) => key.startsWith(prefix));
    const found = new Set(configured.map((key) => nameOf(key.slice(prefix.length)) ?? ''));
    found.delete('');
    return [...found].toSorted().map((name) => ({ name }));
  }

  async function keys(signal: AbortSignal): Promise<readonly string[]> {
    try {
      const { data } = await home.get(configMapType, { namespace, name: CONFIG_MAP }, { signal });
      return isJsonObject(data) ? Object.keys(data) : [];
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return [];
      throw fromHomeError(error);
    }
  }

  return {
    ListTriggers: async (_request, call) => ({ items: await names('trigger.', call, (rest) => rest) }),
    ListTemplates: async (_request, call) => ({ items: await names('template.', call, (rest) => rest) }),
    // `<type>` or `<type>.<name>`; anything else is no service.
    ListServices: async (_request, call) => ({
      items: await names('service.', call, (rest) => {
        const [type, name, ...more] = rest.split('.');
        return more.length > 0 ? undefined : (name ?? type);
      }),
    }),
  };
}
