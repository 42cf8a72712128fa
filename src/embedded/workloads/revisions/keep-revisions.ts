import { jsonEquals } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import { numberAt, objectAt } from '../../json-path.ts';
import { templateHash } from '../names.ts';
import { controllerReference } from '../view.ts';
import type { View } from '../view.ts';
import { createObject, deleteObject, updateObject } from '../world.ts';
import type { World } from '../world.ts';

export interface Revision {
  readonly name: string;
  readonly hash: string;
  readonly template: JsonObject;
  readonly view: View;
}

export interface RevisionOptions {
  readonly owner: View;
  /** The label that carries the hash. */
  readonly hashLabel: string;
}

/** The revision of the present template, made or brought to the top where needed, and all others from the oldest on. */
export async function keepRevisions(
  world: World,
  { owner, hashLabel }: RevisionOptions,
): Promise<{ newest: Revision; all: readonly Revision[] }> {
  const template = objectAt(owner.spec, 'template');
  const data = { spec: { template: { ...template, $patch: 'replace' } } };
  const known = world.cache.dependents('ControllerRevision', owner.uid).toSorted((left, right) => numberOf(left) - numberOf(right));
  const highest = numberOf(known.at(-1));
  const same = known.find((view) => jsonEquals(objectAt(view.json, 'data'), data));
  const newest = same === undefined ? await create() : numberOf(same) === highest ? same : await raise(same);
  return {
    newest: asRevision(newest, hashLabel),
    all: [...known.filter((view) => view.uid !== newest.uid), newest].map((view) => asRevision(view, hashLabel)),
  };

  async function create(): Promise<View> {
    const hash = templateHash(template);
    const labels = { ...objectAt(template, 'metadata', 'labels'), [hashLabel]: hash };
    return await createObject(world, 'ControllerRevision', {
      metadata: {
        name: `${owner.name}-${hash}`,
        namespace: owner.namespace,
        labels,
        ...(owner.metadata.annotations && { annotations: { ...owner.metadata.annotations } }),
        ownerReferences: [controllerReference(owner)],
      },
      data,
      revision: highest + 1,
    });
  }

  /** Back to an old template: its revision becomes the newest. */
  async function raise(view: View): Promise<View> {
    return await updateObject(world, view, { ...view.json, revision: highest + 1 });
  }
}

/** Revisions that nothing uses go, the oldest first, when there are more of them than the history has room for. */
export async function trimRevisions(world: World, owner: View, all: readonly Revision[], usedNames: ReadonlySet<string>): Promise<void> {
  const limit = numberAt(owner.spec, 'revisionHistoryLimit') ?? 10;
  const unused = all.filter(({ name }) => !usedNames.has(name));
  for (const { view } of unused.slice(0, Math.max(unused.length - limit, 0))) await deleteObject(world, view);
}

function numberOf(view: View | undefined): number {
  return view === undefined ? 0 : (numberAt(view.json, 'revision') ?? 0);
}

function asRevision(view: View, hashLabel: string): Revision {
  const { $patch: _patch, ...template } = objectAt(view.json, 'data', 'spec', 'template');
  return { name: view.name, hash: view.metadata.labels?.[hashLabel] ?? '', template, view };
}
