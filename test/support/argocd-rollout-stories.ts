/** What people do with rolling syncs, told with the stock clients: the same on every home. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApplicationSet } from '../../src/model/index.ts';
import { IN_CLUSTER, type Stage } from './argocd-stage.ts';
import { configMap } from './git-repository.ts';
import { waitUntil } from './wait-until.ts';

const slow = { timeout: 150_000 };

/** The stage is open and signed in. */
export function describeRolloutStories(stage: () => Stage): void {
  const parts = () => stage().parts;
  const control = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await parts().kubectl('--namespace', parts().controlNamespace, ...args);
    expect({ args, code, said: code === 0 ? '' : stderr }).toEqual({ args, code: 0, said: '' });
    return stdout;
  };
  const get = async (): Promise<ApplicationSet> =>
    JSON.parse(await stage().argocd('appset', 'get', 'as-roll', '-o', 'json')) as ApplicationSet;
  const states = async (): Promise<readonly string[]> =>
    ((await get()).status?.applicationStatus ?? []).map(({ application, step, status }) => `${application} ${step} ${status}`);
  const waitForStates = async (...wanted: readonly string[]): Promise<void> => {
    let seen: readonly string[] = [];
    await waitUntil(async () => (seen = await states()).join() === wanted.join()).catch(() => expect(seen).toEqual(wanted));
  };
  const news = async (): Promise<string | undefined> =>
    (await get()).status?.conditions?.find(({ type }) => type === 'RolloutProgressing')?.message;
  const switchSteps = (value: 'true' | 'false'): Promise<string> => {
    const patch = JSON.stringify({ data: { 'applicationsetcontroller.enable.progressive.syncs': value } });
    return control('patch', 'configmap', 'argocd-cmd-params-cm', '--type', 'merge', '--patch', patch);
  };
  const say = (...annotations: readonly string[]): Promise<string> =>
    control('annotate', 'applicationset', 'as-roll', '--overwrite', ...annotations);

  /** The step of `two` comes before that of `one`; each goes to a namespace of its own. */
  const set = (annotations: object) => {
    const step = (name: string) => ({ matchExpressions: [{ key: 'app', operator: 'In', values: [name] }] });
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'as-roll', namespace: parts().controlNamespace, annotations },
      spec: {
        generators: [{ git: { repoURL: parts().repositoryUrl, revision: 'main', directories: [{ path: 'roll/*' }] } }],
        strategy: { type: 'RollingSync', rollingSync: { steps: [step('two'), step('one')] } },
        template: {
          metadata: { name: 'as-roll-{{path.basename}}', labels: { app: '{{path.basename}}' } },
          spec: {
            project: 'default',
            source: { repoURL: parts().repositoryUrl, targetRevision: 'main', path: '{{path}}' },
            destination: { server: IN_CLUSTER, namespace: `${parts().namespace}-{{path.basename}}` },
            syncPolicy: { automated: {} },
          },
        },
      },
    };
  };
  const createNamespace = (name: string): Promise<string> => control('create', 'namespace', `${parts().namespace}-${name}`);
  const operationOf = async (name: string) => (await stage().get(name)).status?.operationState;

  describe('that syncs step by step', () => {
    beforeAll(async () => {
      await parts().repository.commit({ 'roll/one/cm.json': configMap('as-roll'), 'roll/two/cm.json': configMap('as-roll') });
      await createNamespace('two');
      await switchSteps('true');
    }, 60_000);
    afterAll(async () => {
      for (const name of ['one', 'two'])
        await parts().kubectl('delete', 'namespace', `${parts().namespace}-${name}`, '--wait=false', '--ignore-not-found');
    });

    it('begins nothing while it is paused', slow, async () => {
      await stage().apply([set({ 'fairway.dev/rollout': 'pause' })]);
      await waitForStates('as-roll-one 2 Waiting', 'as-roll-two 1 Waiting');
      await waitUntil(async () => (await news()) === 'ApplicationSet rollout is paused at step 1');
      await stage().waitForState('as-roll-two', 'OutOfSync Missing');
      expect([await operationOf('as-roll-one'), await operationOf('as-roll-two')]).toEqual([undefined, undefined]);
    });

    it('goes from step to step when it is resumed', slow, async () => {
      await say('fairway.dev/rollout=resume');
      // The namespace of the second step is not there yet: its sync is tried again and again.
      await waitForStates('as-roll-one 2 Progressing', 'as-roll-two 1 Healthy');
      await waitUntil(async () => (await news()) === 'ApplicationSet is performing rollout of step 2');
      expect(await operationOf('as-roll-two')).toMatchObject({
        phase: 'Succeeded',
        operation: { initiatedBy: { username: 'applicationset-controller', automated: true } },
      });
    });

    it('ends what runs when it is aborted, and begins nothing more', slow, async () => {
      await waitUntil(async () => (await operationOf('as-roll-one'))?.phase === 'Running');
      await say('fairway.dev/rollout=abort');
      await waitUntil(async () => (await operationOf('as-roll-one'))?.phase === 'Failed');
      expect((await operationOf('as-roll-one'))?.message).toMatch(/terminated/i);
      await waitForStates('as-roll-one 2 Waiting', 'as-roll-two 1 Healthy');
      await waitUntil(async () => (await news()) === 'ApplicationSet rollout was aborted at step 2');
      const { finishedAt } = (await operationOf('as-roll-one')) ?? {};
      await createNamespace('one');
      await control('annotate', 'application', 'as-roll-one', 'argocd.argoproj.io/refresh=hard');
      await waitUntil(async () => (await stage().get('as-roll-one')).metadata.annotations?.['argocd.argoproj.io/refresh'] === undefined);
      expect((await operationOf('as-roll-one'))?.finishedAt).toBe(finishedAt);
      await waitForStates('as-roll-one 2 Waiting', 'as-roll-two 1 Healthy');
    });

    it('begins the step anew when nothing holds it any more, and shows where it is', slow, async () => {
      await say('fairway.dev/rollout-');
      await waitForStates('as-roll-one 2 Healthy', 'as-roll-two 1 Healthy');
      expect(await control('get', 'configmaps', '--namespace', `${parts().namespace}-one`, '--output', 'name')).toContain('/as-roll');
      expect(await stage().argocd('appset', 'get', 'as-roll')).toMatch(/^RolloutProgressing +False +ApplicationSet Rollout has completed/m);
      expect((await stage().get('as-roll-one')).spec.syncPolicy?.automated).toEqual({ enabled: false });
      const [one, two] = [await operationOf('as-roll-one'), await operationOf('as-roll-two')];
      expect((two?.startedAt ?? '') <= (one?.startedAt ?? '')).toBe(true);
    });

    it('forgets where it was when that is switched off', slow, async () => {
      await switchSteps('false');
      await waitForStates();
      await waitUntil(async () => (await stage().get('as-roll-one')).spec.syncPolicy?.automated?.enabled === undefined);
      await stage().argocd('appset', 'delete', 'as-roll', '--yes', '--wait');
      await waitUntil(async () => !(await control('get', 'applications', '--output', 'name')).includes('as-roll'));
    });
  });
}
