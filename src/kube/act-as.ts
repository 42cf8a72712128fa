import { ApiError, Code } from '../base/index.ts';
import type { KubeApi } from './kube-api.ts';

/** The API as somebody else would use it. Throws ApiError where it cannot tell one from the other: then nobody gets our rights instead. */
export function actAs(api: KubeApi, username: string): KubeApi {
  const other = api.asUser?.(username);
  if (other === undefined) throw new ApiError(Code.Unimplemented, `this API cannot be used as ${username}`);
  return other;
}
