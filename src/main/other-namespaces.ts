import type { Logger } from '../base/index.ts';
import type { Home } from './home.ts';

export interface OtherNamespacesOptions {
  readonly home: Pick<Home, 'kind'>;
  /** The setting, for the log. */
  readonly key: string;
  /** The patterns as they are set now. */
  readonly read: () => readonly string[];
  readonly log: Logger;
}

/**
 * In which other namespaces objects count, as patterns that may change. A home on a cluster that begins with none reads its own namespace alone, because
 * it may be allowed no more: there, what is set later counts from the next start on, and until then nobody is told that it does.
 */
export function followOtherNamespaces({ home, key, read, log }: OtherNamespacesOptions): () => readonly string[] {
  if (home.kind === 'embedded' || read().length > 0) return read;
  let isTold = false;
  return () => {
    if (!isTold && read().length > 0) {
      isTold = true;
      log.warn('other namespaces count from the next start on, because this one reads its own alone', { setting: key });
    }
    return [];
  };
}
