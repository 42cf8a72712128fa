import type { LayoutGraph } from '../../../graph/index.ts';
import { groupTitle, type Grouping, type MadeApplication } from './made-applications.ts';

export const CARD = { width: 240, height: 52 } as const;
const GROUP_HEIGHT = 34;
const SET_ID = 'set';

export type TreeBox =
  | { readonly id: string; readonly kind: 'set' }
  | { readonly id: string; readonly kind: 'group'; readonly title: string; readonly count: number }
  | { readonly id: string; readonly kind: 'application'; readonly application: MadeApplication };

export interface SetTree {
  readonly boxes: readonly TreeBox[];
  readonly graph: LayoutGraph;
}

/** The set, groups where somebody wants some, and applications. */
export function buildTree(applications: readonly MadeApplication[], grouping: Grouping): SetTree {
  const boxes: TreeBox[] = [{ id: SET_ID, kind: 'set' }];
  const edges: { from: string; to: string }[] = [];
  const add = (box: TreeBox, parent: string): void => {
    boxes.push(box);
    edges.push({ from: parent, to: box.id });
  };
  const addAll = (some: readonly MadeApplication[], parent: string): void => {
    for (const application of some) add({ id: `application ${application.name}`, kind: 'application', application }, parent);
  };
  if (grouping === 'none') addAll(applications, SET_ID);
  else {
    const groups = Map.groupBy(applications, (application) => groupTitle(application, grouping));
    for (const [title, some] of [...groups].toSorted(([one], [other]) => one.localeCompare(other, undefined, { numeric: true }))) {
      const id = `group ${title}`;
      add({ id, kind: 'group', title, count: some.length }, SET_ID);
      addAll(some, id);
    }
  }
  const nodes = boxes.map((box) => ({ id: box.id, width: CARD.width, height: heightOf(box) }));
  return { boxes, graph: { nodes, edges, gap: 10, rankGap: 56 } };
}

export function heightOf({ kind }: TreeBox): number {
  return kind === 'group' ? GROUP_HEIGHT : CARD.height;
}
