import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { configMap, startTestApi, types, type TestApi } from '../support/embedded.ts';
import { follow, type Follower } from '../support/follow.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('A cache of the embedded API', () => {
  let home: TestApi;
  let follower: Follower | undefined;
  beforeAll(async () => {
    home = await startTestApi();
  });
  afterEach(() => follower?.stop());
  afterAll(() => home.stop());

  it('lists in pages, follows every change, and asks for no more than it must', async () => {
    const { api } = home;
    for (let index = 0; index < 25; index += 1) await api.create(types.configMaps, configMap(`map-${index}`));
    follower = follow({ api, type: types.configMaps, namespace: 'default' });
    const { reflector, converges } = follower;
    await reflector.whenSynced();
    await waitUntil(() => reflector.state.name === 'watching');
    for (let index = 0; index < 20; index += 1) {
      const ref = { namespace: 'default', name: `map-${index}` };
      if (index % 3 === 0) await api.delete(types.configMaps, ref);
      else await api.patch(types.configMaps, ref, { type: 'merge', body: { data: { changed: `${index}` } } });
      await api.create(types.configMaps, configMap(`more-${index}`));
    }
    await converges(api);
    expect(reflector.counts).toMatchObject({ lists: 1, watches: 1, failures: 0 });
  });

  it('keeps to its selector: what no longer matches is removed', async () => {
    const { api } = home;
    await api.create(types.configMaps, configMap('chosen', { metadata: { name: 'chosen', labels: { tier: 'web' } } }));
    follower = follow({ api, type: types.configMaps, namespace: 'default', labelSelector: 'tier=web' });
    const { reflector, mirror } = follower;
    await reflector.whenSynced();
    expect([...mirror.keys()]).toEqual(['default/chosen']);
    await waitUntil(() => reflector.state.name === 'watching');
    await api.patch(
      types.configMaps,
      { namespace: 'default', name: 'chosen' },
      { type: 'merge', body: { metadata: { labels: { tier: 'db' } } } },
    );
    await waitUntil(() => mirror.size === 0);
  });

  it('says that a kind is gone that the API does not serve', async () => {
    follower = follow({
      api: home.api,
      type: { group: 'nowhere.example.com', version: 'v1', plural: 'things', kind: 'Thing', namespaced: true },
    });
    const { reflector } = follower;
    await waitUntil(() => reflector.trouble?.reason === 'gone');
    expect(reflector.trouble?.message).toBe('the API does not serve nowhere.example.com/v1/things');
  });
});
