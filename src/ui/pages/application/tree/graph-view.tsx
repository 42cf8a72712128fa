import { useMemo, useRef, type ReactElement } from 'react';
import { GraphFrame, overlaps, seenArea, useLayout, useViewport, type Layout, type Size, type Viewport } from '../../../graph/index.ts';
import { useShown } from '../use-application.ts';
import type { ResourceGraph } from './build-graph.ts';
import { MiniMap, placeOnMap } from './mini-map.tsx';
import { CARD_HEIGHT, CARD_WIDTH, NodeCard } from './node-card.tsx';
import { CARDS_SCALE_MIN, paintGraph, prepareCanvas, readColours, type Colours } from './paint-graph.ts';
import type { ShownResource } from './resource-node.ts';

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
  const layout = useLayout(useMemo(() => toLayoutGraph(graph), [graph]));
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
  const control = useViewport(screen, layout, { box: CARD, elementsScaleMin: CARDS_SCALE_MIN, onMove });
  const { area, centre } = control;
  const near = area && layout?.nodes.filter(({ x, y }) => overlaps(area, x, y, CARD_WIDTH, CARD_HEIGHT));
  return (
    <GraphFrame
      {...{ label, screen, control }}
      isLaidOut={layout !== undefined}
      front={layout !== undefined && <MiniMap layout={layout} boxes={boxes} frame={mapFrame} onMove={centre} />}
    >
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
    </GraphFrame>
  );
}

/** Colours change with the theme, which nobody tells us. */
const COLOURS_MS = 1_000;

const CARD: Size = { width: CARD_WIDTH, height: CARD_HEIGHT };

function toLayoutGraph({ boxes, edges }: ResourceGraph): Parameters<typeof useLayout>[0] {
  return { nodes: boxes.map(({ id }) => ({ id, ...CARD })), edges };
}

function moveMapFrame(frame: HTMLDivElement | null, layout: Layout, viewport: Viewport, size: Size): void {
  if (frame === null) return;
  const { scale, ...corner } = placeOnMap(layout);
  const { left, top, width, height } = seenArea(viewport, size);
  frame.style.transform = `translate(${corner.left + left * scale}px, ${corner.top + top * scale}px)`;
  frame.style.width = `${width * scale}px`;
  frame.style.height = `${height * scale}px`;
}
