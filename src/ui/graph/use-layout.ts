import { useEffect, useState } from 'react';
import type { Layout, LayoutGraph } from './layout.ts';

let worker: Worker | undefined;
let lastId = 0;

/** Where the boxes of a graph go. Undefined until the first answer; then the last one until the next is there. The same boxes and arrows cost no second layout. */
export function useLayout(wanted: LayoutGraph): Layout | undefined {
  const graph = useSteady(wanted);
  const [layout, setLayout] = useState<Layout>();
  useEffect(() => {
    worker ??= new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    const current = worker;
    const id = (lastId += 1);
    const onMessage = ({ data }: MessageEvent<{ readonly id: number; readonly layout: Layout }>): void => {
      if (data.id === id) setLayout(data.layout);
    };
    current.addEventListener('message', onMessage);
    current.postMessage({ id, graph });
    return () => current.removeEventListener('message', onMessage);
  }, [graph]);
  return layout;
}

/** The same object while boxes and arrows are the same: another state of a box must not move anything. */
function useSteady(graph: LayoutGraph): LayoutGraph {
  const [kept, setKept] = useState({ graph, signature: signatureOf(graph) });
  if (kept.graph === graph) return graph;
  const signature = signatureOf(graph);
  if (kept.signature === signature) return kept.graph;
  setKept({ graph, signature });
  return graph;
}

function signatureOf({ nodes, edges, direction, gap, rankGap }: LayoutGraph): string {
  const boxes = nodes.map(({ id, width, height }) => `${id}\t${width}\t${height}`);
  return [direction, gap, rankGap, ...boxes, '', ...edges.map(({ from, to }) => `${from}\t${to}`)].join('\n');
}
