import { ApiError, Code } from '../../../base/index.ts';
import type { ProviderContext } from './provider-context.ts';

export interface AskedProvider {
  /** What the generator names; empty for the public service. */
  readonly api: string | undefined;
  /** Of the application set. */
  readonly namespace: string;
}

/** Throws where settings do not let an application set ask this provider. */
export function checkProviderAllowed(
  { settings, namespace }: Pick<ProviderContext, 'settings' | 'namespace'>,
  { api, namespace: own }: AskedProvider,
): void {
  const { appsetScmEnabled, appsetScmAllowed } = settings.current.parameters;
  if (!appsetScmEnabled) throw new ApiError(Code.PermissionDenied, 'scm providers are disabled');
  // Whoever may write there could otherwise have tokens sent to a server of their own.
  if (own !== namespace && appsetScmAllowed.length === 0)
    throw new ApiError(
      Code.PermissionDenied,
      `scm provider not allowed: application sets outside of the namespace ${namespace} may ask only those of applicationsetcontroller.allowed.scm.providers, and it is empty`,
    );
  if (api === undefined || api === '' || appsetScmAllowed.length === 0 || appsetScmAllowed.includes(api)) return;
  const list = appsetScmAllowed.join(', ');
  throw new ApiError(
    Code.PermissionDenied,
    `scm provider not allowed: scm provider "${api}" not allowed, must use one of the following: ${list}`,
  );
}
