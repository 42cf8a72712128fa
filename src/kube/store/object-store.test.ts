import { afterEach, describe, expect, it } from 'vitest';
import { ManualTimers, settle } from '../../../test/support/manual-timers.ts';
import { ScriptedWatch, scriptedKubeApi, scriptedList, scriptedObject } from '../../../test/support/scripted-kube-api.ts';
import { createLogger } from '../../base/index.ts';
import { statusError } from '../../objects/index.ts';
import { configMap, openEmbeddedHome, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { ResourceType } from '../kube-api.ts';
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
    const timers = new ManualTimers();
    const watches: ScriptedWatch[] = [];
    let version = '10';
    const api = scriptedKubeApi({
      list: () => Promise.resolve(scriptedList(version, [scriptedObject('listed', '5')])),
      watch(options) {
        watches.push(new ScriptedWatch(options));
        return watches.at(-1) as ScriptedWatch;
      },
    });
    const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
    store = createObjectStore({ api, type, log, timers });
    const told: string[] = [];
    store.subscribe((change) => told.push(`${change.type} ${change.object.metadata.name ?? ''}`));
    store.start();
    await settle();
    store.noticeWrite(scriptedObject('gone', '11'));
    store.noticeWrite(scriptedObject('new', '13'));
    version = '12';
    watches[0]?.fail(statusError('Expired', 'too old resource version'));
    await timers.advance(1_000);
    expect(watches).toHaveLength(2);
    expect(told).toEqual(['added listed', 'added gone', 'added new', 'removed gone']);
    expect([...store.values()].map(({ metadata }) => metadata.name)).toEqual(['listed', 'new']);
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
