import { useEffect, useState } from 'react';
import type { Layout, LayoutGraph } from './layout.ts';

let worker: Worker | undefined;
let lastId = 0;

/** Where the boxes of a graph go. Undefined until the first answer; then the last one until the next is there. Pass the same graph while nothing changes. */
export function useLayout(graph: LayoutGraph): Layout | undefined {
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
