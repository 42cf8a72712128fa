import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../base/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { createOpenApiReader } from './open-api.ts';

describe('Descriptions of kinds', () => {
  it('are found where they moved to after the index was read', async () => {
    let hash = 'old';
    const asked: string[] = [];
    const get = async (path: string): Promise<JsonObject> => {
      asked.push(path);
      if (path === '/openapi/v3') return { paths: { 'apis/apps/v1': { serverRelativeURL: `/openapi/v3/apis/apps/v1?hash=${hash}` } } };
      if (path.includes('?') && !path.endsWith(hash))
        throw new ApiError(Code.Unavailable, 'answered 301: another address, which is not followed');
      return { openapi: hash };
    };
    const reader = createOpenApiReader({ get, clock: { nowMs: () => 0 } });
    expect(await reader.openApi('apps/v1')).toEqual({ openapi: 'old' });
    hash = 'new';
    expect(await reader.openApi('other/v1')).toBeUndefined();
    await reader.openApiHashes();
    hash = 'newest';
    expect(await reader.openApi('apps/v1')).toEqual({ openapi: 'newest' });
    expect(asked.filter((path) => path === '/openapi/v3')).toHaveLength(3);
  });

  it('are had without their hash where the index itself lags behind', async () => {
    const get = async (path: string): Promise<JsonObject> => {
      if (path === '/openapi/v3') return { paths: { 'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=behind' } } };
      if (path.includes('?')) throw new ApiError(Code.Unavailable, 'answered 301: another address, which is not followed');
      return { openapi: path };
    };
    const reader = createOpenApiReader({ get, clock: { nowMs: () => 0 } });
    expect(await reader.openApi('apps/v1')).toEqual({ openapi: '/openapi/v3/apis/apps/v1' });
    expect(await reader.openApi('apps/v2')).toBeUndefined();
  });

  it('that cannot be had are tried twice and no more, and only where trying helps', async () => {
    let calls = 0;
    const failing = (code: Code) =>
      createOpenApiReader({
        get: async (path) => {
          if (path === '/openapi/v3') return { paths: { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=a' } } };
          calls += 1;
          throw new ApiError(code, 'no');
        },
        clock: { nowMs: () => 0 },
      });
    await expect(failing(Code.Unavailable).openApi('v1')).rejects.toThrow('no');
    expect(calls).toBe(2);
    await expect(failing(Code.ResourceExhausted).openApi('v1')).rejects.toThrow('no');
    expect(calls).toBe(3);
  });
});
