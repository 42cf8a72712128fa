/** Graphs: laid out in a worker, and drawings of them to move around in. */
export { GraphFrame } from './graph-frame.tsx';
export { useLayout } from './use-layout.ts';
export { useViewport } from './use-viewport.ts';
export { overlaps, seenArea } from './viewport.ts';
export type { Layout, LayoutGraph } from './layout.ts';
export type { Size, Viewport } from './viewport.ts';
