import { ApiError, Code } from '../../base/index.ts';
import type { LinksResponse } from '../../contract/index.ts';

/** The links that are configured, while there are none; their templates are not evaluated yet. */
export function noLinks(configured: readonly unknown[]): LinksResponse {
  if (configured.length === 0) return {};
  throw new ApiError(Code.Unimplemented, 'links with templates are not implemented yet');
}
