import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import { statusError } from '../../objects/index.ts';
import type { KubeApi } from '../kube-api.ts';
import { createEventRecorder, type EventNote, type EventRecorderOptions } from './event-recorder.ts';

const note: EventNote = {
  about: {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    namespace: 'argocd',
    name: 'web',
    uid: 'u1',
    labels: { team: 'a', x: 'y' },
  },
  reason: 'ResourceCreated',
  message: 'alice created application',
  component: 'argocd-server',
  annotations: { user: 'alice' },
};

function open(create: (object: KubeObject) => Promise<unknown>, more: Partial<EventRecorderOptions> = {}) {
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const log = { debug: say, info: say, warn: say, error: say } as unknown as EventRecorderOptions['log'];
  const api = { create: (_type: unknown, object: KubeObject) => create(object) } as unknown as KubeApi;
  return { said, recorder: createEventRecorder({ api, namespace: 'argocd', clock: { nowMs: () => 1_700_000_000_000 }, log, ...more }) };
}

describe('An event', () => {
  it('has the form that clients of Argo CD read', async () => {
    const kept: KubeObject[] = [];
    const labelsFor = ({ team = '' }: Readonly<Record<string, string>>) => ({ team });
    const { recorder } = open(async (object) => kept.push(object), { labelsFor });
    await recorder.record(note);
    await recorder.record({ ...note, isWarning: true });
    expect(kept[0]).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'web.17979cfe362a0000', namespace: 'argocd', annotations: { user: 'alice' }, labels: { team: 'a' } },
      involvedObject: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', namespace: 'argocd', name: 'web', uid: 'u1' },
      reason: 'ResourceCreated',
      type: 'Normal',
      message: 'alice created application',
      source: { component: 'argocd-server' },
      firstTimestamp: '2023-11-14T22:13:20Z',
      lastTimestamp: '2023-11-14T22:13:20Z',
      count: 1,
    });
    // Two of the same moment are two.
    expect(kept[1]).toMatchObject({ metadata: { name: 'web.17979cfe362a0001' }, type: 'Warning' });
  });

  it('is not written where its reason is switched off, and is cut where it is too long', async () => {
    const kept: KubeObject[] = [];
    const { recorder } = open(async (object) => kept.push(object), { isEnabled: (reason) => reason !== 'ResourceDeleted' });
    await recorder.record({ ...note, reason: 'ResourceDeleted' });
    await recorder.record({ ...note, message: 'x'.repeat(10_000) });
    expect(kept.map(({ message }) => String(message).length)).toEqual([4_096]);
  });

  it('that cannot be kept stops nobody', async () => {
    const { recorder, said } = open(() => Promise.reject(statusError('InternalError', 'the server is ill')));
    await expect(recorder.record(note)).resolves.toBeUndefined();
    expect(said).toEqual(['an event could not be kept']);
  });

  it('is dropped rather than kept in memory without end', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { recorder, said } = open(() => promise);
    const all = Array.from({ length: 5_000 }, () => recorder.record(note));
    expect(said).toEqual([
      'events are lost, as the home is too slow to take them',
      'events are lost, as the home is too slow to take them',
      'events are lost, as the home is too slow to take them',
    ]);
    resolve(undefined);
    await Promise.all(all);
  });

  it('that nobody waits for is written one after the other, and is in nobody’s way', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const begun: string[] = [];
    const { recorder } = open(async (object) => {
      begun.push(object.metadata.name ?? '');
      if (object['message'] === 'patient') await promise;
    });
    const patient = Array.from({ length: 10 }, () => recorder.record({ ...note, message: 'patient', isPatient: true }));
    await recorder.record(note);
    expect(begun).toHaveLength(2);
    resolve(undefined);
    await Promise.all(patient);
    expect(begun).toHaveLength(11);
  });
});
