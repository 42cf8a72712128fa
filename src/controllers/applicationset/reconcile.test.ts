import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApplicationSetPlane, templateOf, type ApplicationSetPlane } from '../../../test/support/application-set-plane.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { ApiError, Code, systemTimers } from '../../base/index.ts';
import { applicationType } from '../../model/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { fromJson, type GoMap } from '../../template/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import type { Generator } from './generators/generator.ts';
import { createGeneratorRunner } from './generators/generator-runner.ts';
import { listGenerator } from './generators/list-generator.ts';
import { reconcileSet, type SetMemory } from './reconcile.ts';

/** What a server of parameters does when it is asked. */
type Answer =
  | { readonly kind: 'names'; readonly names: readonly string[]; readonly meanwhile?: () => Promise<void> }
  | { readonly kind: 'refuses' | 'breaks' | 'hangs' }
  /** Half of an answer, and then no more. */
  | { readonly kind: 'stops'; readonly names: readonly string[] }
  /** Parameters that the template cannot take. */
  | { readonly kind: 'misleads'; readonly names: readonly string[] };

let sets: ApplicationSetPlane;
let answer: Answer = { kind: 'names', names: [] };

beforeAll(async () => {
  sets = await openApplicationSetPlane();
});
afterAll(() => sets.close());

const server: Generator<'plugin'> = {
  async generate({ signal }) {
    switch (answer.kind) {
      case 'names':
        await answer.meanwhile?.();
        return answer.names.map(parametersOf);
      case 'misleads':
        return [...answer.names.map(parametersOf), fromJson({ other: 'x' }) as GoMap];
      case 'stops':
        throw new ApiError(Code.Unavailable, `the connection ended after ${answer.names.length} of more`);
      case 'refuses':
        throw new ApiError(Code.PermissionDenied, 'no');
      case 'breaks':
        throw new TypeError('a mistake of ours');
      case 'hangs':
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
    }
  },
  requeueAfterMs: () => undefined,
};

const parametersOf = (name: string): GoMap => fromJson({ name }) as GoMap;

/** As the plane's, with the server above, and no patience for it when it hangs. */
function contextOf(): ApplicationSetContext {
  const isHanging = answer.kind === 'hangs';
  return {
    ...sets.context,
    generators: createGeneratorRunner({ list: listGenerator, plugin: server }),
    timers: { ...systemTimers, schedule: (delayMs, run) => systemTimers.schedule(isHanging && delayMs >= 600_000 ? 5 : delayMs, run) },
  };
}

const spec = (generators: JsonObject[]): object => ({
  goTemplate: true,
  goTemplateOptions: ['missingkey=error'],
  generators,
  template: templateOf('{{ .name }}'),
  // So that nothing holds an application back that is deleted.
  syncPolicy: { preserveResourcesOnDeletion: true },
});

/** What there is, as the API says and as everybody sees it. */
async function stored(): Promise<readonly string[]> {
  const { items } = await sets.plane.home.api.list(applicationType);
  const names = items.map(({ metadata }) => metadata.name ?? '').sort();
  await waitUntil(() => sets.names().join() === names.join());
  return names;
}

let count = 0;

/** A set of its own, looked at once for each answer. */
async function openSet(generators: JsonObject[] = [{ plugin: { configMapRef: { name: 'x' } } }]) {
  count += 1;
  const name = `set-${count}`;
  await sets.create(name, spec(generators));
  await sets.waitFor(name, () => true);
  const memory: SetMemory = { settledGeneration: undefined, owesRefresh: false, askedMs: undefined };
  const signal = new AbortController().signal;
  const own = async (): Promise<readonly string[]> => (await stored()).filter((one) => one.startsWith(`${name}-`));
  return {
    name,
    async look(next: Answer): Promise<readonly string[]> {
      answer = next;
      await reconcileSet(contextOf(), { namespace: 'argocd', name }, memory, signal).catch(() => undefined);
      return own();
    },
    condition: () => sets.get(name)?.status?.conditions?.find(({ type }) => type === 'ErrorOccurred'),
    memory,
  };
}

describe('generators that fail', () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });
  const answers = fc.oneof(
    names.map((numbers) => ({ kind: 'names' as const, numbers })),
    fc.constantFrom('refuses' as const, 'breaks' as const, 'hangs' as const).map((kind) => ({ kind, numbers: [] })),
    names.map((numbers) => ({ kind: 'stops' as const, numbers })),
    names.map((numbers) => ({ kind: 'misleads' as const, numbers })),
  );
  const isFailure = (kind: string): boolean => kind !== 'names';

  it('never delete anything, and never make anything, whatever came before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { minLength: 2, maxLength: 6 }), fc.boolean(), async (story, isNested) => {
        const plugin: JsonObject = { plugin: { configMapRef: { name: 'x' } } };
        const pair: JsonObject = { matrix: { generators: [{ list: { elements: [{ side: 'x' }] } }, plugin] } };
        const set = await openSet([isNested ? pair : plugin]);
        let before: readonly string[] = [];
        for (const { kind, numbers } of story) {
          const wanted = numbers.map((number) => `${set.name}-${number}`);
          const after = await set.look({ kind, names: wanted });
          if (isFailure(kind)) {
            expect(after).toEqual(before);
            expect(set.condition()?.status).toBe('True');
          } else {
            expect(after).toEqual(wanted.toSorted());
          }
          before = after;
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  it('are told apart: what asked, and what was made of it', async () => {
    const set = await openSet();
    const told = async (next: Answer) => {
      await set.look(next);
      return [set.condition()?.reason, set.condition()?.message];
    };
    expect(await told({ kind: 'refuses' })).toEqual(['ApplicationGenerationFromParamsError', 'no']);
    expect(await told({ kind: 'breaks' })).toEqual(['ApplicationGenerationFromParamsError', 'internal error']);
    expect((await told({ kind: 'hangs' }))[1]).toMatch(/^no answer within/);
    const [reason, message] = await told({ kind: 'misleads', names: [`${set.name}-1`] });
    expect([reason, message]).toEqual([
      'RenderTemplateParamsError',
      'failed to execute go template {{ .name }}: template: base:1:3: executing "base" at <.name>: map has no entry for key "name"',
    ]);
  });
});

describe('generators that suddenly yield little', () => {
  const many = (name: string, size: number): readonly string[] => Array.from({ length: size }, (_item, index) => `${name}-${index}`);

  it('have to be confirmed before all of many applications go', async () => {
    const set = await openSet();
    await set.look({ kind: 'names', names: many(set.name, 6) });
    expect(await set.look({ kind: 'names', names: [] })).toHaveLength(6);
    expect(set.condition()).toMatchObject({ status: 'True', reason: 'DeletionNeedsConfirmation' });
    expect(set.condition()?.message).toContain('would delete 6 of 6 applications');
    // What comes back is as if nothing had been.
    expect(await set.look({ kind: 'names', names: many(set.name, 6) })).toHaveLength(6);
    expect(set.condition()?.status).toBe('False');
    await set.look({ kind: 'names', names: [] });
    await sets.patch(set.name, { metadata: { annotations: { 'fairway.dev/confirm-deletion': '5' } } });
    expect(await set.look({ kind: 'names', names: [] })).toHaveLength(6);
    await sets.patch(set.name, { metadata: { annotations: { 'fairway.dev/confirm-deletion': '6' } } });
    expect(await set.look({ kind: 'names', names: [] })).toEqual([]);
  });

  it('may take some of many, and all of few', async () => {
    const set = await openSet();
    await set.look({ kind: 'names', names: many(set.name, 7) });
    expect(await set.look({ kind: 'names', names: many(set.name, 1) })).toHaveLength(1);
    expect(await set.look({ kind: 'names', names: [] })).toEqual([]);
  });

  it('are not doubted where the set itself was edited', async () => {
    const set = await openSet();
    await set.look({ kind: 'names', names: many(set.name, 6) });
    await sets.patch(set.name, { spec: { generators: [{ list: { elements: [] } }] } });
    expect(await set.look({ kind: 'names', names: [] })).toEqual([]);
  });

  it('are asked about after a start, when it is not known what was edited', async () => {
    const set = await openSet();
    await set.look({ kind: 'names', names: many(set.name, 6) });
    set.memory.settledGeneration = undefined;
    expect(await set.look({ kind: 'names', names: [] })).toHaveLength(6);
  });

  it('are measured by a share that can be set, or not at all', async () => {
    const set = await openSet();
    await set.look({ kind: 'names', names: many(set.name, 10) });
    await sets.setParameters({ 'applicationsetcontroller.deletion.budget.percent': '50' });
    expect(await set.look({ kind: 'names', names: many(set.name, 5) })).toHaveLength(10);
    expect(await set.look({ kind: 'names', names: many(set.name, 6) })).toHaveLength(6);
    await sets.setParameters({ 'applicationsetcontroller.deletion.budget.percent': '0' });
    expect(await set.look({ kind: 'names', names: [] })).toEqual([]);
    await sets.setParameters({ 'applicationsetcontroller.deletion.budget.percent': null });
  });
});

describe('a refresh that is asked for', () => {
  it('while another look is under way is still to be done', async () => {
    await sets.setParameters({ 'applicationsetcontroller.enable.progressive.syncs': 'true' });
    const set = await openSet();
    await sets.patch(set.name, { spec: { strategy: { type: 'RollingSync', rollingSync: { steps: [] } } } });
    const annotations = { 'argocd.argoproj.io/application-set-refresh': 'true' };
    await set.look({ kind: 'names', names: [`${set.name}-a`], meanwhile: () => sets.patch(set.name, { metadata: { annotations } }) });
    expect(sets.get(set.name)?.metadata.annotations).toEqual(annotations);
    await set.look({ kind: 'names', names: [`${set.name}-a`] });
    expect(sets.get(set.name)?.metadata.annotations ?? {}).toEqual({});
    await sets.setParameters({ 'applicationsetcontroller.enable.progressive.syncs': null });
  });
});
