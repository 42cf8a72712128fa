import { useCallback, useMemo, useRef, useState, type FocusEvent, type ReactElement } from 'react';
import { Button, Loading } from '../../../design/index.ts';
import { useLayout, type Layout } from '../../../graph/index.ts';
import { useShown } from '../use-application.ts';
import type { GraphBox, ResourceGraph } from './build-graph.ts';
import { MiniMap, placeOnMap } from './mini-map.tsx';
import { CARD_HEIGHT, CARD_WIDTH, NodeCard } from './node-card.tsx';
import { paintGraph, prepareCanvas, readColours, type Colours } from './paint-graph.ts';
import type { ShownResource } from './resource-node.ts';
import { useViewport } from './use-viewport.ts';
import { overlaps, seenArea, type Size, type Viewport } from './viewport.ts';

export interface GraphViewProps {
  readonly graph: ResourceGraph;
  readonly label: string;
  readonly selected: string;
  readonly onOpen: (resource: ShownResource) => void;
  readonly onToggle: (id: string) => void;
}

/** Resources and arrows between them, to move around in. Near ones are elements, far ones are painted. */
export function GraphView({ graph, label, selected, onOpen, onToggle }: GraphViewProps): ReactElement {
  const application = useShown();
  const shape = useShape(graph);
  const layout = useLayout(shape);
  const boxes = useMemo(() => new Map(graph.boxes.map((box) => [box.id, box])), [graph]);
  const screen = useRef<HTMLDivElement>(null);
  const plane = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const mapFrame = useRef<HTMLDivElement>(null);
  const colours = useRef<{ readonly at: number; readonly read: Colours }>(undefined);
  const onMove = (viewport: Viewport, size: Size): void => {
    if (layout === undefined || canvas.current === null || screen.current === null) return;
    if (plane.current) plane.current.style.transform = `translate(${viewport.x}px, ${viewport.y}px) scale(${viewport.scale})`;
    moveMapFrame(mapFrame.current, layout, viewport, size);
    const now = performance.now();
    if (colours.current === undefined || now - colours.current.at > COLOURS_MS)
      colours.current = { at: now, read: readColours(screen.current) };
    const context = prepareCanvas(canvas.current, size);
    if (context) paintGraph(context, { layout, boxes, viewport, screen: size, colours: colours.current.read });
  };
  const { area, zoom, fitAll, centre } = useViewport(screen, layout, onMove);
  const places = useMemo(() => new Map(layout?.nodes.map((node) => [node.id, node])), [layout]);
  const onFocus = useCallback(
    ({ target }: FocusEvent) => {
      // A box that is reached by keyboard comes into sight by a move of the drawing, not by a scroll of the screen.
      screen.current?.scrollTo(0, 0);
      const place = places.get(target.closest<HTMLElement>('[data-node]')?.dataset['node'] ?? '\0');
      if (place !== undefined && target.matches(':focus-visible')) centre({ x: place.x + CARD_WIDTH / 2, y: place.y + CARD_HEIGHT / 2 });
    },
    [places, centre],
  );
  const near = area && layout?.nodes.filter(({ x, y }) => overlaps(area, x, y, CARD_WIDTH, CARD_HEIGHT));
  return (
    <div className="graph card">
      <div className="graph-screen" ref={screen} tabIndex={0} role="group" aria-label={label} onFocus={onFocus}>
        <canvas ref={canvas} className="graph-canvas" />
        <div className="graph-plane" ref={plane}>
          {near?.map(({ id, x, y }) => {
            const box = boxes.get(id);
            return (
              box && (
                <NodeCard
                  key={id}
                  {...{ box, x, y, application, onOpen, onToggle }}
                  isSelected={selected === id && box.resource !== undefined}
                />
              )
            );
          })}
        </div>
      </div>
      {layout === undefined && <Loading what="Laying out" />}
      <div className="graph-tools">
        <Button icon="plus" label="Larger" onClick={() => zoom(1.25)} />
        <Button icon="minus" label="Smaller" onClick={() => zoom(0.8)} />
        <Button icon="monitor" label="Show all" onClick={fitAll} />
      </div>
      {layout !== undefined && <MiniMap layout={layout} boxes={boxes} frame={mapFrame} onMove={centre} />}
    </div>
  );
}

/** Colours change with the theme, which nobody tells us. */
const COLOURS_MS = 1_000;

/** The same while boxes and arrows are the same: a new state of a pod must not move anything, nor cost a layout. */
function useShape({ boxes, edges }: ResourceGraph): Parameters<typeof useLayout>[0] {
  const signature = `${boxes.map(({ id }) => id).join('\n')}\n\n${edges.map(({ from, to }) => `${from}\t${to}`).join('\n')}`;
  const [shape, setShape] = useState({ signature, graph: toLayoutGraph(boxes, edges) });
  if (shape.signature === signature) return shape.graph;
  const next = { signature, graph: toLayoutGraph(boxes, edges) };
  setShape(next);
  return next.graph;
}

function toLayoutGraph(boxes: readonly GraphBox[], edges: ResourceGraph['edges']): Parameters<typeof useLayout>[0] {
  return { nodes: boxes.map(({ id }) => ({ id, width: CARD_WIDTH, height: CARD_HEIGHT })), edges };
}

function moveMapFrame(frame: HTMLDivElement | null, layout: Layout, viewport: Viewport, size: Size): void {
  if (frame === null) return;
  const { scale, ...corner } = placeOnMap(layout);
  const { left, top, width, height } = seenArea(viewport, size);
  frame.style.transform = `translate(${corner.left + left * scale}px, ${corner.top + top * scale}px)`;
  frame.style.width = `${width * scale}px`;
  frame.style.height = `${height * scale}px`;
}
