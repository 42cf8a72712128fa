import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepositoryStage, type RepositoryStage } from '../../../../test/support/repository-stage.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { LabelledSecret } from '../../../settings/index.ts';
import type { RepositoryAccess, Sources } from '../../../sources/index.ts';
import { createConnectionStates } from './connection-states.ts';

describe('whether repositories can be reached', () => {
  let stage: RepositoryStage;
  beforeEach(async () => {
    stage = await openRepositoryStage();
  });
  afterEach(() => stage.close());

  const secretsOf = (): LabelledSecret[] =>
    [...stage.options.settings.current.labelledSecrets.values()].filter(({ type }) => type === 'repository');

  async function store(count: number, project: string): Promise<void> {
    for (let index = 0; index < count; index += 1)
      await stage.store(`${project}repo-${index}`, 'repository', { url: `https://git.example.com/${project}${index}`, project });
  }

  /** Servers that fail at once, of which nothing is told before `release`. */
  function holdBack() {
    const asked: string[] = [];
    const held = Promise.withResolvers<void>();
    const testRepository: Sources['testRepository'] = async ({ url }: RepositoryAccess, { onFailed } = {}) => {
      asked.push(url);
      onFailed?.();
      await held.promise;
      throw new ApiError(Code.Unknown, 'nobody answers');
    };
    const states = createConnectionStates({ ...stage.options, sources: { ...stage.options.sources, testRepository } });
    return { asked, states, release: () => held.resolve() };
  }

  it('is asked of others while a failure is held back', async () => {
    await store(40, '');
    const { asked, states, release } = holdBack();
    const answers = Promise.all(secretsOf().map((secret) => states.of(secret, { fresh: false })));
    await expect.poll(() => asked.length).toBe(40);
    release();
    expect(new Set((await answers).map(({ connectionState }) => connectionState.status))).toEqual(new Set(['Failed']));
  });

  it('SSRF-02: is asked no sooner of others where a project has registered the repositories, whatever they answered', async () => {
    await store(40, 'team-a');
    const { asked, states, release } = holdBack();
    const answers = Promise.all(secretsOf().map((secret) => states.of(secret, { fresh: false })));
    await expect.poll(() => asked.length).toBe(16);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked.length).toBe(16);
    release();
    expect(new Set((await answers).map(({ connectionState }) => connectionState.status))).toEqual(new Set(['Failed']));
  });

  it('is unknown to who asked where it takes too long, and known to who asks later', async () => {
    await store(1, '');
    const [secret] = secretsOf();
    if (secret === undefined) throw new Error('there is no Secret');
    const { asked, states, release } = holdBack();
    const { connectionState } = await states.of(secret, { fresh: false, until: Promise.resolve() });
    expect(connectionState).toMatchObject({ status: 'Unknown', message: expect.stringContaining('has not answered yet') as string });
    release();
    expect((await states.of(secret, { fresh: false })).connectionState).toMatchObject({ status: 'Failed' });
    expect(asked).toHaveLength(1);
    const known = await states.of(secret, { fresh: false, until: Promise.resolve() });
    expect(known.connectionState).toMatchObject({ status: 'Failed' });
  });
});
