import { afterEach, describe, expect, it } from 'vitest';
import { settle } from '../../../test/support/manual-timers.ts';
import { scriptedList, scriptedObject } from '../../../test/support/scripted-kube-api.ts';
import { openScriptedStore } from '../../../test/support/scripted-store.ts';
import { configMap, openEmbeddedHome, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { ObjectList, ResourceType } from '../kube-api.ts';
import { createObjectStore, type ObjectChange, type ObjectStore } from './object-store.ts';

const type: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const ref = { namespace: 'argocd', name: 'one' };
let home: EmbeddedHome | undefined;
let store: ObjectStore | undefined;

afterEach(async () => {
  await store?.stop();
  await home?.close();
  store = undefined;
  home = undefined;
});

async function openStore() {
  home = await openEmbeddedHome();
  const { api, log } = home;
  const changes: ObjectChange[] = [];
  store = createObjectStore({ api, type, namespace: 'argocd', log });
  store.subscribe((change) => changes.push(change));
  return { api, store, changes, told: () => changes.map((change) => change.type) };
}

describe('An object store', () => {
  it('knows what there is, and tells what changes', async () => {
    const { api, store, told } = await openStore();
    await api.create(type, configMap('one', { a: '1' }));
    store.start();
    expect(await store.whenSynced(5_000)).toBe(true);
    expect(store.get(ref)).toMatchObject({ data: { a: '1' } });
    await api.patch(type, ref, { type: 'merge', body: { data: { a: '2' } } });
    await waitUntil(() => told().length === 2);
    expect(store.get(ref)).toMatchObject({ data: { a: '2' } });
    await api.delete(type, ref);
    await waitUntil(() => told().length === 3);
    expect([store.size, told()]).toEqual([0, ['added', 'changed', 'removed']]);
  });

  it('shows a write that it is told of at once, once, and does not go back when the watch comes after it', async () => {
    const { api, store, changes, told } = await openStore();
    store.start();
    await store.whenSynced(5_000);
    const made = await api.create(type, configMap('one', { a: '1' }));
    store.noticeWrite(made);
    expect(store.get(ref)).toMatchObject({ data: { a: '1' } });
    const changed = await api.patch(type, ref, { type: 'merge', body: { data: { a: '2' } } });
    store.noticeWrite(changed);
    store.noticeWrite(made);
    expect(store.get(ref)).toMatchObject({ data: { a: '2' } });
    await api.create(type, configMap('two', {}));
    await waitUntil(() => store.size === 2);
    expect(told()).toEqual(['added', 'changed', 'added']);
    expect(changes[1]?.previous).toMatchObject({ data: { a: '1' } });
    expect(Number(store.resourceVersion)).toBeGreaterThan(Number(changed.metadata.resourceVersion));
  });

  it('does not bring back what is gone', async () => {
    const { api, store } = await openStore();
    store.start();
    await store.whenSynced(5_000);
    const made = await api.create(type, configMap('one', {}));
    await api.delete(type, ref);
    await api.create(type, configMap('two', {}));
    await waitUntil(() => store.get({ namespace: 'argocd', name: 'two' }));
    store.noticeWrite(made);
    expect(store.get(ref)).toBeUndefined();
  });

  it('lets go of a write of ours that was undone before the watch told of it, when everything is listed again', async () => {
    let version = '10';
    const { watches, listAgain, ...scripted } = await openScriptedStore(type, () => scriptedList(version, [scriptedObject('listed', '5')]));
    store = scripted.store;
    const told: string[] = [];
    store.subscribe((change) => told.push(`${change.type} ${change.object.metadata.name ?? ''}`));
    store.noticeWrite(scriptedObject('gone', '11'));
    store.noticeWrite(scriptedObject('new', '13'));
    version = '12';
    await listAgain();
    expect(watches).toHaveLength(2);
    expect(told).toEqual(['added gone', 'added new', 'removed gone']);
    expect([...store.values()].map(({ metadata }) => metadata.name)).toEqual(['listed', 'new']);
  });

  it('knows what is listed, and nothing more, when the API was set back to a backup', async () => {
    let list = scriptedList('30', [scriptedObject('changed', '25'), scriptedObject('same', '5'), scriptedObject('made', '26')]);
    const { listAgain, tell, ...scripted } = await openScriptedStore(type, () => list);
    store = scripted.store;
    const versionOf = (name: string) => store?.get({ namespace: 'one', name })?.metadata.resourceVersion;
    store.noticeWrite(scriptedObject('same', '31'));
    store.noticeWrite(scriptedObject('ours', '32'));
    list = scriptedList('10', [scriptedObject('changed', '4'), scriptedObject('same', '5')]);
    await listAgain();
    expect([versionOf('changed'), versionOf('same'), store.size, store.resourceVersion]).toEqual(['4', '5', 2, '10']);
    store.noticeWrite(scriptedObject('changed', '11'));
    await tell('MODIFIED', scriptedObject('same', '12'));
    expect([versionOf('changed'), versionOf('same'), store.resourceVersion]).toEqual(['11', '12', '12']);
  });

  it('says up to which version it knows everything, whatever answers to writes come first', async () => {
    const { tell, ...scripted } = await openScriptedStore(type, () =>
      scriptedList('10', [scriptedObject('one', '5'), scriptedObject('other', '4')]),
    );
    store = scripted.store;
    expect(store.resourceVersion).toBe('10');
    store.noticeWrite(scriptedObject('one', '12'));
    expect(store.resourceVersion).toBe('10');
    // A write that was made before, and whose answer comes after.
    store.noticeWrite(scriptedObject('made', '11'));
    expect(store.get({ namespace: 'one', name: 'made' })).toBeDefined();
    for (const [name, version] of [
      ['made', '11'],
      ['one', '12'],
      ['other', '13'],
    ] as const) {
      await tell('MODIFIED', scriptedObject(name, version));
      expect(store.resourceVersion).toBe(version);
    }
    await tell('DELETED', scriptedObject('made', '14'));
    expect(store.resourceVersion).toBe('14');
  });

  it('knows a list when it has read its last page, and not before', async () => {
    const lastPage = Promise.withResolvers<ObjectList>();
    let lists = 0;
    const { listAgain, ...scripted } = await openScriptedStore(type, ({ continue: token }) => {
      if (token !== undefined) return lastPage.promise;
      lists += 1;
      if (lists === 1) return scriptedList('10', [scriptedObject('one', '5'), scriptedObject('other', '4')]);
      return scriptedList('20', [scriptedObject('one', '18')], 'more');
    });
    store = scripted.store;
    const versionOf = (name: string) => store?.get({ namespace: 'one', name })?.metadata.resourceVersion;
    await listAgain();
    expect([versionOf('one'), versionOf('other'), store.resourceVersion]).toEqual(['18', '4', '10']);
    lastPage.resolve(scriptedList('20', [scriptedObject('other', '17')]));
    await settle();
    expect([versionOf('one'), versionOf('other'), store.resourceVersion]).toEqual(['18', '17', '20']);
  });

  it('says when it has not heard everything in time', async () => {
    const { store } = await openStore();
    expect(await store.whenSynced(1)).toBe(false);
    const leaving = new AbortController();
    const waiting = store.whenSynced(60_000, leaving.signal);
    leaving.abort();
    expect(await waiting).toBe(false);
  });
});
