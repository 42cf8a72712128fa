import type { Settings } from '../../../contract/gen/types.ts';

/** The name of the provider that people know, if there is one. */
export function findProvider({ oidcConfig, dexConfig }: Settings): string | undefined {
  if (oidcConfig?.name || oidcConfig?.issuer) return oidcConfig.name || 'single sign-on';
  const connectors = dexConfig?.connectors ?? [];
  if (connectors.length === 0) return undefined;
  return connectors.length === 1 ? connectors[0]?.name || 'single sign-on' : 'single sign-on';
}

/** Where signing in with the provider begins, and where it ends. */
export function providerAddress(returnPath: string): string {
  return `/auth/login?return_url=${encodeURIComponent(new URL(returnPath, window.location.origin).href)}`;
}
