import { ApiError, Code } from '../../../base/index.ts';
import type { ProviderContext } from './provider-context.ts';

/** Throws where settings do not let application sets ask this provider. `api` is what the generator names; empty for the public service. */
export function checkProviderAllowed({ settings }: Pick<ProviderContext, 'settings'>, api: string | undefined): void {
  const { appsetScmEnabled, appsetScmAllowed } = settings.current.parameters;
  if (!appsetScmEnabled) throw new ApiError(Code.PermissionDenied, 'scm providers are disabled');
  if (api === undefined || api === '' || appsetScmAllowed.length === 0 || appsetScmAllowed.includes(api)) return;
  const list = appsetScmAllowed.join(', ');
  throw new ApiError(
    Code.PermissionDenied,
    `scm provider not allowed: scm provider "${api}" not allowed, must use one of the following: ${list}`,
  );
}
