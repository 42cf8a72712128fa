import type { Layout, LayoutGraph } from '../../../graph/index.ts';

export interface Place {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where boxes go: as laid out, but each beside the first that it leads to. In the middle of hundreds nobody would see it. */
export function placeBoxes({ nodes, edges }: LayoutGraph, layout: Layout): ReadonlyMap<string, Place> {
  const laid = new Map(layout.nodes.map((node) => [node.id, node]));
  const places = new Map<string, Place>();
  // Children stand behind their parents in the list: from the end on, each finds its first child in its place.
  for (const { id, width, height } of nodes.toReversed()) {
    const at = laid.get(id);
    if (at === undefined) continue;
    const child = places.get(edges.find(({ from }) => from === id)?.to ?? '');
    places.set(id, { id, x: at.x, y: child === undefined ? at.y : child.y + (child.height - height) / 2, width, height });
  }
  return places;
}

/** The corners of a line from one box to another, as SVG writes them. */
export function drawEdge(from: Place | undefined, to: Place | undefined): string {
  if (from === undefined || to === undefined) return '';
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y + to.height / 2 };
  const bend = (start.x + end.x) / 2;
  return `${start.x},${start.y} ${bend},${start.y} ${bend},${end.y} ${end.x},${end.y}`;
}
