import type { ObjectStore } from '../../kube/index.ts';
import type { KubeObject } from '../../objects/index.ts';

interface Expectations {
  readonly isNamespaceEnabled: (namespace: string) => boolean;
  readonly expect: (object: KubeObject) => void;
  readonly forget: (namespace: string, name: string) => void;
}

/** Tells what comes and what goes, also before anybody looks: what is gone by then would be waited for for ever. Returns what ends it. */
export function expectObjects(store: Pick<ObjectStore, 'subscribe'>, { isNamespaceEnabled, expect, forget }: Expectations): () => void {
  return store.subscribe(({ type, object }) => {
    const { namespace = '', name = '' } = object.metadata;
    if (type === 'removed') forget(namespace, name);
    else if (type === 'added' && isNamespaceEnabled(namespace)) expect(object);
  });
}
