import { ApiError, Code } from '../../../base/index.ts';
import type { ResourceStatus } from '../../../contract/index.ts';
import type { Asker } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { applicationsByName } from './applications-by-name.ts';
import { createSelection, requireSynced } from './select-applications.ts';

const LIMIT = 20;
const LIMIT_MAX = 100;
const SEARCH_CHARACTERS_MAX = 256;
const WORDS_MAX = 8;

/** A resource that an application declares. */
export interface FoundResource {
  readonly application: { readonly name: string; readonly namespace: string; readonly project: string };
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** How well a name fits: it is the text, begins with it, or has it somewhere. What only fits together with the kind comes last. */
type Rank = 0 | 1 | 2 | 3;

/** Resources whose kind and name have all words of a text, of applications that the caller may see; the best first, and not more than asked for. */
export async function findResources(
  context: ApplicationServiceOptions,
  { search, limit = LIMIT }: { readonly search: string; readonly limit?: number },
  asker: Asker,
): Promise<{ readonly items: readonly FoundResource[] }> {
  if (search.length > SEARCH_CHARACTERS_MAX)
    throw new ApiError(Code.InvalidArgument, `search must not be longer than ${SEARCH_CHARACTERS_MAX} characters`);
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    throw new ApiError(Code.InvalidArgument, `limit must be between 1 and ${LIMIT_MAX}`);
  const wanted = search.trim().toLowerCase();
  const words = wanted.split(/\s+/).slice(0, WORDS_MAX);
  await requireSynced(context, asker.signal);
  if (wanted === '') return { items: [] };
  const { isVisible } = createSelection(context, asker, {});
  const found: [FoundResource[], FoundResource[], FoundResource[], FoundResource[]] = [[], [], [], []];
  for (const { application } of applicationsByName(context.applications)) {
    for (const resource of application.status?.resources ?? []) {
      const rank = rankOf(resource, wanted, words);
      if (rank === undefined || found[rank].length >= limit) continue;
      // Asked only of those that fit: a decision costs more than a look at a name.
      if (!isVisible(application)) break;
      const { metadata, spec } = application;
      const owner = { name: metadata.name ?? '', namespace: metadata.namespace ?? '', project: spec.project || 'default' };
      const { group = '', kind = '', namespace = '', name = '' } = resource;
      found[rank].push({ application: owner, group, kind, namespace, name });
    }
    if (found[0].length >= limit) break;
  }
  return { items: found.flat().slice(0, limit) };
}

function rankOf({ kind = '', name = '' }: ResourceStatus, wanted: string, words: readonly string[]): Rank | undefined {
  const lower = name.toLowerCase();
  if (lower === wanted) return 0;
  if (lower.startsWith(wanted)) return 1;
  if (lower.includes(wanted)) return 2;
  const whole = `${kind.toLowerCase()} ${lower}`;
  return words.every((word) => whole.includes(word)) ? 3 : undefined;
}
