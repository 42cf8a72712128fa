/** Lays out graphs beside the page, which stays quick meanwhile. */
import { Graph, layout, type EdgeLabel, type GraphLabel, type NodeLabel } from '@dagrejs/dagre';
import { layOutForest } from './lay-out-forest.ts';
import type { Layout, LayoutGraph } from './layout.ts';

self.addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly graph: LayoutGraph }>) => {
  // Who owns whom is nearly always a forest, which takes no search: thousands of boxes in milliseconds.
  self.postMessage({ id: data.id, layout: layOutForest(data.graph) ?? layOut(data.graph) });
});

function layOut({ nodes, edges, direction = 'right', gap = 14, rankGap = 60 }: LayoutGraph): Layout {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
  graph.setGraph({ rankdir: direction === 'right' ? 'LR' : 'TB', nodesep: gap, ranksep: rankGap, marginx: 20, marginy: 20 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  const known = new Set(nodes.map(({ id }) => id));
  const drawn = edges.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  for (const { from, to } of drawn) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map(({ id, width: own, height: tall }) => {
      const { x = 0, y = 0 } = graph.node(id) ?? {};
      return { id, x: x - own / 2, y: y - tall / 2 };
    }),
    edges: drawn.map(({ from, to }) => ({ from, to, points: graph.edge(from, to)?.points ?? [] })),
  };
}
