import type { JsonObject } from '../../objects/index.ts';

/** `v1.36.3` from what a cluster says of itself; vendors add to it. Empty where it says nothing of that form. */
export function readVersion({ gitVersion }: JsonObject): string {
  const version = typeof gitVersion === 'string' ? /^v?(\d+\.\d+\.\d+)/.exec(gitVersion)?.[1] : undefined;
  return version === undefined ? '' : `v${version}`;
}
