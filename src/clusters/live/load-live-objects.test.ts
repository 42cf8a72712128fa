import { describe, expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import type { DiscoveredResource, KubeApi } from '../../kube/index.ts';
import { statusError, type KubeObject } from '../../objects/index.ts';
import type { Registration } from '../registration/registration.ts';
import type { KindFollowers } from './kind-followers.ts';
import { loadLiveObjects } from './load-live-objects.ts';
import { createRowMaker, type StoredRow } from './make-row.ts';
import { RowIndex } from './row-index.ts';

const type = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const key = '/ConfigMap/space/settings';
const makeRow = createRowMaker({
  type,
  rules: { instanceOf: () => undefined, healthOf: () => undefined, factsOf: () => undefined },
  log: createLogger({ level: 'error', format: 'text', write: () => undefined }),
  shareText: (text) => text,
  findOwners: () => undefined,
});

function version(resourceVersion: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'space', name: 'settings', resourceVersion } };
}

/** A cluster that holds one object, and a watch that tells of it when the test says so. */
function open(first: KubeObject) {
  const scene = { stored: first, row: makeRow(first), gets: 0, unserved: 0, onGet: (): void => undefined };
  const followers = {
    index: new RowIndex(() => undefined),
    find: (): StoredRow => scene.row,
    isKnown: () => true,
  } as unknown as KindFollowers;
  const api = {
    get: async () => {
      scene.gets += 1;
      const answer = scene.stored;
      scene.onGet();
      return answer;
    },
  } as unknown as KubeApi;
  const load = async (wanted?: string): Promise<string | undefined> => {
    const objects = await loadLiveObjects({
      api,
      followers,
      registration: { namespaces: [], clusterResources: true } as unknown as Registration,
      typeOf: () => type as DiscoveredResource,
      onUnserved: () => {
        scene.unserved += 1;
      },
      instance: 'shop',
      targets: [{ group: '', kind: 'ConfigMap', namespace: 'space', name: 'settings', ...(wanted !== undefined && { version: wanted }) }],
    });
    return objects.get(key)?.metadata.resourceVersion;
  };
  return { scene, load };
}

describe('An object that is asked for', () => {
  it('is remembered as long as the watch tells of nothing newer', async () => {
    const { scene, load } = open(version('8'));
    expect([await load(), await load(), scene.gets]).toEqual(['8', '8', 1]);
    scene.stored = version('9');
    scene.row = makeRow(scene.stored);
    expect([await load(), await load(), scene.gets]).toEqual(['9', '9', 2]);
  });

  it('is not remembered where the watch told of a newer one while the answer was under way', async () => {
    const { scene, load } = open(version('8'));
    scene.onGet = () => {
      scene.stored = version('9');
      scene.row = makeRow(scene.stored);
      scene.onGet = () => undefined;
    };
    expect([await load(), await load()]).toEqual(['8', '9']);
  });

  it('is not remembered where the watch has yet to tell of it', async () => {
    const { scene, load } = open(version('8'));
    scene.stored = version('9');
    expect(await load()).toBe('9');
    expect([await load(), scene.gets]).toEqual(['9', 2]);
  });

  it('is not there where the cluster says so of the object, and unknown where it does not serve the kind any more', async () => {
    const { scene, load } = open(version('8'));
    scene.onGet = () => {
      throw statusError('NotFound', 'configmaps "settings" not found', { name: 'settings', kind: 'configmaps' });
    };
    expect([await load(), scene.unserved]).toEqual([undefined, 0]);
    scene.onGet = () => {
      throw statusError('NotFound', 'https://one answered 404: 404 page not found');
    };
    await expect(load()).rejects.toThrow('configmaps of v1 are not served any more');
    expect(scene.unserved).toBe(1);
  });

  it('is not remembered for a version in which it was not answered, as that may be served in a moment', async () => {
    const { scene, load } = open(version('8'));
    expect([await load('v2'), await load('v2'), scene.gets]).toEqual(['8', '8', 2]);
  });
});
