import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAILS, REFUSED, SyncSimulator } from '../../../test/support/sync-simulator.ts';
import type { KubeObject } from '../../objects/index.ts';
import { hookTypesOf, syncPhases, syncWaveOf } from './hooks.ts';

const HOOK = 'argocd.argoproj.io/hook';
const POLICY = 'argocd.argoproj.io/hook-delete-policy';
const WAVE = 'argocd.argoproj.io/sync-wave';

const waves = fc.integer({ min: -2, max: 2 }).map((wave): Record<string, string> => (wave === 0 ? {} : { [WAVE]: String(wave) }));

const kinds = fc.constantFrom(['v1', 'ConfigMap'], ['v1', 'Pod'], ['v1', 'Secret'], ['batch/v1', 'Job']);

function make([apiVersion = '', kind = '']: readonly string[], name: string, annotations: Record<string, string>): KubeObject {
  const spec = kind === 'Pod' ? { spec: { restartPolicy: 'Always' } } : {};
  return { apiVersion, kind, metadata: { name, namespace: 'ns', annotations }, ...spec };
}

interface Drawn {
  readonly desired: readonly KubeObject[];
  readonly live: readonly KubeObject[];
}

const plain = fc.tuple(kinds, waves).map(([kind, annotations]) => ({ kind, annotations }));
const hook = fc
  .tuple(
    waves,
    fc.subarray(['PreSync', 'Sync', 'PostSync', 'SyncFail'], { minLength: 1 }),
    fc.constantFrom('HookSucceeded', 'HookFailed', 'BeforeHookCreation'),
  )
  .map(([wave, phases, policy]) => ({ kind: ['batch/v1', 'Job'], annotations: { ...wave, [HOOK]: phases.join(','), [POLICY]: policy } }));

const drawn: fc.Arbitrary<Drawn> = fc
  .tuple(fc.array(plain, { maxLength: 5 }), fc.array(hook, { maxLength: 3 }), fc.array(plain, { maxLength: 3 }))
  .map(([wanted, hooks, extra]) => ({
    desired: [
      ...wanted.map(({ kind, annotations }, index) => make(kind, `wanted-${index}`, annotations)),
      ...hooks.map(({ kind, annotations }, index) => make(kind, `hook-${index}`, annotations)),
    ],
    live: extra.map(({ kind, annotations }, index) => make(kind, `extra-${index}`, annotations)),
  }));

/** Where in the order of a sync an event belongs. */
function positionOf(event: string, { desired }: Drawn): readonly [number, number] | undefined {
  const [, phase = 'Sync', name = ''] = /^apply (?:(\w+) hook )?(\S+)$/.exec(event) ?? [];
  const object = desired.find(({ metadata }) => metadata.name === name);
  return object && [(syncPhases as readonly string[]).indexOf(phase), syncWaveOf(object)];
}

const operation = { prune: true };

describe('Every sync', () => {
  it('ends, and leaves what is wanted and nothing that is not', () => {
    fc.assert(
      fc.property(drawn, (objects) => {
        const sync = new SyncSimulator({ ...objects, operation });
        expect(sync.run().phase).toBe('Succeeded');
        sync.settle();
        const names = [...sync.live.values()].map(({ metadata }) => metadata.name);
        for (const { metadata } of objects.live) expect(names).not.toContain(metadata.name);
        for (const object of objects.desired) if (hookTypesOf(object).length === 0) expect(names).toContain(object.metadata.name);
      }),
    );
  });

  it('ends, whatever fails', () => {
    const withFailures = drawn.chain((objects) =>
      fc
        .array(fc.constantFrom(FAILS, REFUSED, ''), { minLength: objects.desired.length, maxLength: objects.desired.length })
        .map((marks) => ({
          ...objects,
          desired: objects.desired.map((object, index): KubeObject => {
            const mark = marks[index] ?? '';
            if (mark === '') return object;
            return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [mark]: 'apply' } } };
          }),
        })),
    );
    fc.assert(
      fc.property(withFailures, (objects) => {
        const { phase, message } = new SyncSimulator({ ...objects, operation }).run();
        expect(phase === 'Succeeded' ? /^successfully synced/ : /^one or more/).toSatisfy((pattern: RegExp) => pattern.test(message));
      }),
    );
  });

  it('applies nothing before its phase and its wave', () => {
    fc.assert(
      fc.property(drawn, (objects) => {
        const sync = new SyncSimulator({ ...objects, operation });
        sync.run();
        const positions = sync.events.map((event) => positionOf(event, objects)).filter((position) => position !== undefined);
        const sorted = [...positions].sort(([phase, wave], [otherPhase, otherWave]) => phase - otherPhase || wave - otherWave);
        expect(positions).toEqual(sorted);
      }),
    );
  });

  it('prunes after everything is applied where it is told to prune last', () => {
    fc.assert(
      fc.property(drawn, (objects) => {
        const sync = new SyncSimulator({
          desired: objects.desired.filter((one) => hookTypesOf(one).length === 0),
          live: objects.live,
          operation: { prune: true, syncOptions: ['PruneLast=true'] },
        });
        sync.run();
        const verbs = sync.events.map((event) => event.split(' ')[0] ?? '');
        expect(verbs.lastIndexOf('apply')).toBeLessThan(verbs.includes('prune') ? verbs.indexOf('prune') : verbs.length);
      }),
    );
  });

  it('plans the same again when it is asked again', () => {
    fc.assert(
      fc.property(drawn, fc.nat({ max: 8 }), (objects, steps) => {
        const sync = new SyncSimulator({ ...objects, operation });
        for (let count = 0; count < steps && sync.step().type !== 'finish'; count++) sync.settle();
        expect(sync.plan()).toEqual(sync.plan());
      }),
    );
  });

  it('comes to the same end after a crash at any point, and runs no hook twice', () => {
    fc.assert(
      fc.property(
        drawn,
        fc.array(fc.record({ steps: fc.nat({ max: 3 }), tasks: fc.nat({ max: 3 }), keeps: fc.boolean() }), { maxLength: 4 }),
        (objects, crashes) => {
          const sync = new SyncSimulator({ ...objects, operation });
          for (const { steps, tasks, keeps } of crashes) {
            for (let count = 0; count < steps && sync.last?.type !== 'finish'; count++) {
              sync.step();
              sync.settle();
            }
            if (sync.last?.type === 'finish') break;
            sync.step(tasks, keeps);
            sync.isDryRunDone = false;
          }
          const end = sync.last?.type === 'finish' ? sync.last : sync.run();
          expect(end.phase).toBe('Succeeded');
          const hooks = sync.events.filter((event) => event.includes(' hook '));
          expect(hooks).toEqual([...new Set(hooks)]);
          const whole = new SyncSimulator({ ...objects, operation });
          whole.run();
          for (const one of [sync, whole]) one.settle();
          expect([...sync.live.keys()].toSorted()).toEqual([...whole.live.keys()].toSorted());
        },
      ),
      { numRuns: 300 },
    );
  });
});
