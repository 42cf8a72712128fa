import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../../base/index.ts';
import { methods } from '../../../contract/index.ts';
import { admit } from './admit.ts';
import type { Core } from './core.ts';
import type { Method } from './method-table.ts';

/** Makes a call with a token for which `code` is all that can be found out. */
async function call(path: string, code: Code): Promise<unknown> {
  const schema = methods.find((known) => known.path === path);
  if (schema === undefined) throw new Error(`there is no ${path}`);
  const core = { authenticate: () => Promise.reject(new ApiError(code, 'no keys')) } as unknown as Core;
  return admit(core, { schema, isPublic: !path.startsWith('/application.') } as unknown as Method, 'token');
}

describe('a token that cannot be checked, as while the provider is away', () => {
  it.each(['/session.SessionService/Create', '/cluster.SettingsService/Get', '/version.VersionService/Version'])(
    'does not keep anybody from %s, with which they sign in otherwise',
    async (path) => {
      expect(await call(path, Code.Unavailable)).toBeUndefined();
    },
  );

  it.each(['/session.SessionService/GetUserInfo', '/session.SessionService/Delete', '/application.ApplicationService/List'])(
    'is not taken for none by %s',
    async (path) => {
      await expect(call(path, Code.Unavailable)).rejects.toMatchObject({ code: Code.Unavailable });
    },
  );
});

describe('a token that is no good', () => {
  it('counts as none where nobody has to be signed in, and nowhere else', async () => {
    expect(await call('/session.SessionService/GetUserInfo', Code.Unauthenticated)).toBeUndefined();
    await expect(call('/application.ApplicationService/List', Code.Unauthenticated)).rejects.toMatchObject({ code: Code.Unauthenticated });
  });
});
