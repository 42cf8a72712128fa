import { useLayoutEffect, useRef, type PointerEvent, type ReactElement, type Ref } from 'react';
import type { Layout } from '../../../graph/index.ts';
import type { GraphBox } from './build-graph.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './node-card.tsx';
import { prepareCanvas, readColours, toneOf } from './paint-graph.ts';

export const MAP_WIDTH = 168;
export const MAP_HEIGHT = 104;

/** How many pixels of the map one pixel of the drawing is. */
export function mapScale({ width, height }: Layout): number {
  return Math.min(MAP_WIDTH / Math.max(1, width), MAP_HEIGHT / Math.max(1, height));
}

export interface MiniMapProps {
  readonly layout: Layout;
  readonly boxes: ReadonlyMap<string, GraphBox>;
  /** The frame around what is seen; the drawing moves it itself. */
  readonly frame: Ref<HTMLDivElement>;
  /** Called with the point of the drawing that is to be in the middle. */
  readonly onMove: (point: { readonly x: number; readonly y: number }) => void;
}

/** The whole drawing, small, with a frame around what is seen. For pointers; the keys of the drawing do the same. */
export function MiniMap({ layout, boxes, frame, onMove }: MiniMapProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element && prepareCanvas(element, { width: MAP_WIDTH, height: MAP_HEIGHT });
    if (!element?.parentElement || !context) return;
    const colours = readColours(element.parentElement);
    const scale = mapScale(layout);
    for (const { id, x, y } of layout.nodes) {
      const box = boxes.get(id);
      context.fillStyle = box === undefined ? colours.line : colours.tones[toneOf(box)];
      context.fillRect(x * scale, y * scale, Math.max(1, CARD_WIDTH * scale), Math.max(1, CARD_HEIGHT * scale));
    }
  }, [layout, boxes]);
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons !== 1) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const scale = mapScale(layout);
    onMove({ x: (event.clientX - left) / scale, y: (event.clientY - top) / scale });
  };
  return (
    <div
      className="mini-map card"
      aria-hidden="true"
      onPointerDown={move}
      onPointerMove={move}
      style={{ width: MAP_WIDTH, height: MAP_HEIGHT }}
    >
      <canvas ref={canvas} />
      <div className="mini-map-frame" ref={frame} />
    </div>
  );
}
