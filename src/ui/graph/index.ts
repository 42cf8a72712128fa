/** Lays out graphs, in a worker. */
export { useLayout } from './use-layout.ts';
export type { Layout, LayoutGraph } from './layout.ts';
