import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../base/index.ts';
import { statusError } from '../objects/index.ts';
import { AnswerTooLarge } from './http/index.ts';
import { createPageLister } from './list-pages.ts';

const type = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const late = new ApiError(Code.DeadlineExceeded, 'no answer within 60 s');

function open() {
  const scene = { nowMs: 0, failure: undefined as Error | undefined, asked: [] as (number | undefined)[] };
  const lister = createPageLister(
    async (_type, { limit }) => {
      scene.asked.push(limit);
      if (scene.failure !== undefined) throw scene.failure;
      return { metadata: { resourceVersion: '1' }, items: [] };
    },
    { nowMs: () => scene.nowMs },
  );
  /** The sizes of the pages that were asked for. */
  const list = async (limit: number, failure?: Error): Promise<readonly (number | undefined)[]> => {
    scene.asked = [];
    scene.failure = failure;
    await lister(type, { limit }).catch(() => undefined);
    return scene.asked;
  };
  return { scene, list };
}

describe('The pages of a kind', () => {
  it.each([late, statusError('Timeout', 'the request took too long')])(
    'are smaller after one that took too long: $message',
    async (error) => {
      const { list } = open();
      expect(await list(500, error)).toEqual([500]);
      expect(await list(500)).toEqual([62]);
      expect(await list(20)).toEqual([20]);
    },
  );

  it('are not made smaller without end for that, and not for good', async () => {
    const { scene, list } = open();
    for (const expected of [500, 62, 50, 50]) expect(await list(500, late)).toEqual([expected]);
    expect(await list(1, late)).toEqual([1]);
    expect(await list(500)).toEqual([50]);
    scene.nowMs += 60 * 60_000;
    expect(await list(500)).toEqual([500]);
  });

  it('stay as they are where whoever asked gave up, or something else failed', async () => {
    const { list } = open();
    for (const error of [new ApiError(Code.Canceled, 'stopped'), new ApiError(Code.Unavailable, 'away'), new Error('no')])
      await list(500, error);
    expect(await list(500)).toEqual([500]);
  });

  it('stay small where they were too large', async () => {
    const { scene, list } = open();
    expect(await list(64, new AnswerTooLarge('https://example.com', 10))).toEqual([64, 8, 1]);
    scene.nowMs += 24 * 60 * 60_000;
    expect(await list(64)).toEqual([1]);
  });
});
