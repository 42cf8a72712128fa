import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedHome, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import { kinds } from '../../../test/support/kinds.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { systemTimers } from '../../base/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { statusError, type KubeObject } from '../../objects/index.ts';
import { applyObject, type Applied, type ApplyOptions } from './apply-object.ts';

const bindings: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'rolebindings',
  kind: 'RoleBinding',
  namespaced: true,
};

let home: EmbeddedHome;
beforeEach(async () => {
  home = await openEmbeddedHome();
});
afterEach(() => home.close());

function apply(type: ResourceType, desired: KubeObject, live: KubeObject | undefined, more: Partial<ApplyOptions> = {}): Promise<Applied> {
  const { signal } = new AbortController();
  const common = { api: home.api, force: false, validate: true, dryRun: false, timers: systemTimers, signal };
  return applyObject({ ...common, type, desired, live, mode: 'client-side', ...more });
}

describe('A binding of another role', () => {
  const binding = (role: string, subject = 'somebody'): KubeObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'bound', namespace: 'default' },
    roleRef: { kind: 'Role', name: role },
    subjects: [{ kind: 'User', name: subject, apiGroup: 'rbac.authorization.k8s.io' }],
  });
  const ref = { namespace: 'default', name: 'bound' };

  it('is deleted and created again, and only changed where the role is the same', async () => {
    const { object: first } = await apply(bindings, binding('one'), undefined);
    const { object: changed } = await apply(bindings, binding('one', 'another'), first);
    expect(changed.metadata.uid).toBe(first.metadata.uid);
    const { object: second, message } = await apply(bindings, binding('two'), changed);
    expect(message).toBe('rolebinding.rbac.authorization.k8s.io/bound replaced');
    expect(second).toMatchObject({ roleRef: { name: 'two' } });
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
  });

  it('passes a trial that changes nothing', async () => {
    const { object: first } = await apply(bindings, binding('one'), undefined);
    const { message } = await apply(bindings, binding('two'), first, { dryRun: true });
    expect(message).toBe('rolebinding.rbac.authorization.k8s.io/bound replaced (dry run)');
    expect(await home.api.get(bindings, ref)).toMatchObject({ metadata: { uid: first.metadata.uid }, roleRef: { name: 'one' } });
  });

  it.each([
    ['may not be seen', statusError('Forbidden', 'rolebindings is forbidden')],
    ['cannot be seen', statusError('ServiceUnavailable', 'the server is ill')],
  ])('is created also where it %s whether the old one is gone', async (_what, refusal) => {
    const { object: first } = await apply(bindings, binding('one'), undefined);
    home.disturb = (call) => {
      if (call === 'get RoleBinding bound') throw refusal;
    };
    const { object: second } = await apply(bindings, binding('two'), first);
    expect(second).toMatchObject({ roleRef: { name: 'two' } });
  });

  it('is created when the server is well again', async () => {
    const { object: first } = await apply(bindings, binding('one'), undefined);
    let [isDeleted, refusals] = [false, 0];
    home.disturb = (call) => {
      isDeleted ||= call === 'delete RoleBinding bound';
      if (!isDeleted || !/^(get|create)/.test(call) || refusals === 5) return;
      refusals += 1;
      throw statusError('ServiceUnavailable', 'the server is ill');
    };
    const { object: second } = await apply(bindings, binding('two'), first);
    expect(second).toMatchObject({ roleRef: { name: 'two' } });
    expect(refusals).toBe(5);
  });

  it('that is refused leaves the one that is there', async () => {
    const { object: first } = await apply(bindings, binding('one'), undefined);
    const refused = { ...binding('two'), roleRef: { kind: 'Nonsense', name: 'two' } };
    await expect(apply(bindings, refused, first)).rejects.toMatchObject({ reason: 'Invalid' });
    expect((await home.api.get(bindings, ref)).metadata.uid).toBe(first.metadata.uid);
  });
});

describe('An object that is to be made anew by force', () => {
  const map = (value: string, metadata: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'one', namespace: 'default', ...metadata },
    data: { value },
    immutable: true,
  });
  const ref = { namespace: 'default', name: 'one' };
  const held = { finalizers: ['example.com/held'] };

  it('is created when the old one is gone', async () => {
    const { object: first } = await apply(kinds.configMap, map('1', held), undefined);
    const next = apply(kinds.configMap, map('2', held), first, { force: true });
    await waitUntil(async () => Boolean((await home.api.get(kinds.configMap, ref)).metadata.deletionTimestamp));
    await home.api.patch(kinds.configMap, ref, { type: 'merge', body: { metadata: { finalizers: null } } });
    const { object, message } = await next;
    expect(message).toBe('configmap/one replaced');
    expect(object).toMatchObject({ data: { value: '2' } });
    expect(object.metadata.uid).not.toBe(first.metadata.uid);
  });

  it('is waited for no longer than its time, and what holds it is said', async () => {
    const timers = new ManualTimers();
    const { object: first } = await apply(kinds.configMap, map('1', held), undefined);
    const next = apply(kinds.configMap, map('2', held), first, { force: true, timers });
    let failure: unknown;
    next.catch((error: unknown) => (failure = error));
    await waitUntil(async () => {
      await timers.advance(1_000);
      return failure !== undefined;
    });
    expect(failure).toMatchObject({
      code: 9,
      message: 'ConfigMap one was deleted in order to be created again, and is still there after 30 s, held by example.com/held',
    });
  });

  describe('and may not be looked at', () => {
    beforeEach(() => {
      home.disturb = (call) => {
        if (call === 'get ConfigMap one') throw statusError('Forbidden', 'configmaps is forbidden');
      };
    });
    const look = (): Promise<KubeObject> => home.embedded.get(kinds.configMap, ref);

    it('is created when the old one is gone', async () => {
      const { object: first } = await apply(kinds.configMap, map('1', held), undefined);
      const next = apply(kinds.configMap, map('2', held), first, { force: true });
      await waitUntil(async () => Boolean((await look()).metadata.deletionTimestamp));
      await home.embedded.patch(kinds.configMap, ref, { type: 'merge', body: { metadata: { finalizers: null } } });
      expect((await next).object).toMatchObject({ data: { value: '2' } });
    });

    it('is tried no longer than its time', async () => {
      const timers = new ManualTimers();
      const { object: first } = await apply(kinds.configMap, map('1', held), undefined);
      let failure: unknown;
      apply(kinds.configMap, map('2', held), first, { force: true, timers }).catch((error: unknown) => (failure = error));
      await waitUntil(async () => {
        await timers.advance(1_000);
        return failure !== undefined;
      });
      expect(failure).toMatchObject({
        code: 9,
        message: 'ConfigMap one was deleted in order to be created again, and is still there after 30 s',
      });
    });
  });

  it('is not waited for by a sync that stops', async () => {
    const controller = new AbortController();
    const { object: first } = await apply(kinds.configMap, map('1', held), undefined);
    const next = apply(kinds.configMap, map('2', held), first, { force: true, signal: controller.signal });
    await waitUntil(async () => Boolean((await home.api.get(kinds.configMap, ref)).metadata.deletionTimestamp));
    controller.abort();
    await expect(next).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is brought to what is desired also where somebody is quicker', async () => {
    const { object: first } = await apply(kinds.configMap, map('1'), undefined);
    let isOpen = true;
    home.disturb = async (call) => {
      if (call !== 'create ConfigMap one' || !isOpen) return;
      isOpen = false;
      await home.embedded.create(kinds.configMap, { ...map('theirs'), immutable: false });
    };
    const { object } = await apply(kinds.configMap, map('2'), first, { force: true });
    expect(object).toMatchObject({ data: { value: '2' }, immutable: true });
  });

  it('is not deleted where another one took its place', async () => {
    const { object: first } = await apply(kinds.configMap, map('1'), undefined);
    await home.api.delete(kinds.configMap, ref);
    const { metadata } = await home.api.create(kinds.configMap, { ...map('theirs'), immutable: false });
    home.disturb = (call) => {
      // As a server would that looks at what was there a moment ago.
      if (call === 'patch ConfigMap one' && first.metadata.uid !== undefined) {
        home.disturb = () => undefined;
        throw statusError('Invalid', 'field is immutable');
      }
    };
    const { object } = await apply(kinds.configMap, map('2'), first, { force: true });
    expect(object.metadata.uid).toBe(metadata.uid);
    expect(object).toMatchObject({ data: { value: '2' } });
  });
});

describe('An object that is too large for a record of itself', () => {
  const large: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'large', namespace: 'default' },
    data: { value: 'x'.repeat(300_000) },
  };

  it('is refused with a word on what helps, which it does', async () => {
    const words = /metadata\.annotations: Too long: .*; what was applied is kept in an annotation, unless .* ServerSideApply=true is set$/;
    await expect(apply(kinds.configMap, large, undefined)).rejects.toMatchObject({
      reason: 'Invalid',
      message: expect.stringMatching(words),
    });
    const { message } = await apply(kinds.configMap, large, undefined, { mode: 'server-side' });
    expect(message).toBe('configmap/large serverside-applied');
  });
});
