import type { Layout, LayoutGraph } from './layout.ts';

const MARGIN = 20;

/** Undefined unless nothing has two parents and nothing is its own ancestor. */
export function layOutForest({ nodes, edges, direction = 'right', gap = 14, rankGap = 60 }: LayoutGraph): Layout | undefined {
  if (direction !== 'right') return undefined;
  const sizes = new Map(nodes.map((node) => [node.id, node]));
  const children = new Map<string, string[]>();
  const parents = new Map<string, string>();
  for (const { from, to } of edges) {
    if (parents.has(to) || !sizes.has(from) || !sizes.has(to)) return undefined;
    parents.set(to, from);
    const siblings = children.get(from);
    if (siblings === undefined) children.set(from, [to]);
    else siblings.push(to);
  }
  const rankWidth = Math.max(0, ...nodes.slice(0, 1_000).map(({ width }) => width)) + rankGap;
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  let nextY = MARGIN;
  let width = 0;
  /** Leaves stand one below the other; whoever has children stands in the middle of them. Returns the middle. */
  const place = (id: string, rank: number): number => {
    const { width: own, height } = sizes.get(id)!;
    const x = MARGIN + rank * rankWidth;
    width = Math.max(width, x + own + MARGIN);
    const below = children.get(id);
    let middle: number;
    if (below === undefined) {
      middle = nextY + height / 2;
      nextY += height + gap;
    } else {
      const middles = below.map((child) => place(child, rank + 1));
      middle = (middles[0]! + middles.at(-1)!) / 2;
    }
    places.set(id, { x, y: middle - height / 2 });
    return middle;
  };
  for (const { id } of nodes) if (!parents.has(id)) place(id, 0);
  if (places.size !== nodes.length) return undefined;
  return {
    width,
    height: nextY - gap + MARGIN,
    nodes: nodes.map(({ id }) => ({ id, ...places.get(id)! })),
    edges: edges.map(({ from, to }) => {
      const [source, target] = [places.get(from)!, places.get(to)!];
      const start = { x: source.x + sizes.get(from)!.width, y: source.y + sizes.get(from)!.height / 2 };
      const end = { x: target.x, y: target.y + sizes.get(to)!.height / 2 };
      const bend = start.x + rankGap / 2;
      return { from, to, points: [start, { x: bend, y: start.y }, { x: bend, y: end.y }, end] };
    }),
  };
}
