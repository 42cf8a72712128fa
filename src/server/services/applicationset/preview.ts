import { readApplicationSet, type ApplicationSet } from '../../../model/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import type { Asker } from '../../call.ts';
import { applicationObject } from '../application/find-application.ts';
import { mayDo, permissionDenied } from '../authorise.ts';
import { applicationSetObject, projectOf, requireSynced, type ApplicationSetServiceOptions } from './application-set-context.ts';
import { checkedSet } from './create.ts';

export interface PreviewedChange {
  readonly name: string;
  readonly kind: 'create' | 'update' | 'delete' | 'keep' | 'refuse';
  readonly message?: string;
  /** Metadata and spec as far as the set decides about them. None of an application that the caller may not see. */
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

/** What storing this set would do to applications. For those who might store it, and who may see the one that is there already. */
export async function previewChanges(
  context: ApplicationSetServiceOptions,
  given: ApplicationSet,
  asker: Asker,
): Promise<{ readonly changes: readonly PreviewedChange[] }> {
  const set = checkedSet(context, asker, given);
  await requireSynced(context, asker.signal);
  requireVisible(context, set, asker);
  const changes = await context.preview.plan(set, { signal: asker.signal });
  const { namespace = '' } = set.metadata;
  return {
    changes: changes.map(({ name, kind, message, live, before, after }) => {
      const project = live?.spec.project || 'default';
      const object = applicationObject(context, project, { namespace, name });
      if (live !== undefined && !mayDo(context.policy, asker, { resource: 'applications', action: 'get', object }))
        return hidden(name, kind);
      return { name, kind, ...(message !== undefined && { message }), ...(before && { before }), ...(after && { after }) };
    }),
  };
}

/** Its applications would tell of a set that the caller may not see. */
function requireVisible(context: ApplicationSetServiceOptions, { metadata }: ApplicationSet, asker: Asker): void {
  const { namespace = '', name = '' } = metadata;
  const known = context.applicationSets.get({ namespace, name });
  if (known === undefined) return;
  const existing = readApplicationSet(known);
  const object = applicationSetObject(context, projectOf(existing), existing.metadata);
  if (!mayDo(context.policy, asker, { resource: 'applicationsets', action: 'get', object })) throw permissionDenied();
}

/** Of one that belongs to somebody else not even the owner is named. */
function hidden(name: string, kind: PreviewedChange['kind']): PreviewedChange {
  return { name, kind, message: kind === 'refuse' ? 'the name is taken' : 'you may not see this application' };
}
