import { useLayoutEffect, useRef, type PointerEvent, type ReactElement, type Ref } from 'react';
import type { Layout } from '../../../graph/index.ts';
import type { GraphBox } from './build-graph.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './node-card.tsx';
import { prepareCanvas, readColours, toneOf } from './paint-graph.ts';

const MAP_WIDTH = 168;
const MAP_HEIGHT = 104;

/** Where the drawing is on the map: how many pixels of it one pixel of the drawing is, and where its corner is, so that it is in the middle. */
export function placeOnMap({ width, height }: Layout): { readonly scale: number; readonly left: number; readonly top: number } {
  const [wide, high] = [Math.max(1, width), Math.max(1, height)];
  const scale = Math.min(MAP_WIDTH / wide, MAP_HEIGHT / high);
  return { scale, left: (MAP_WIDTH - wide * scale) / 2, top: (MAP_HEIGHT - high * scale) / 2 };
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
    const { scale, left, top } = placeOnMap(layout);
    for (const { id, x, y } of layout.nodes) {
      const box = boxes.get(id);
      context.fillStyle = box === undefined ? colours.line : colours.tones[toneOf(box)];
      context.fillRect(left + x * scale, top + y * scale, Math.max(1, CARD_WIDTH * scale), Math.max(1, CARD_HEIGHT * scale));
    }
  }, [layout, boxes]);
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons !== 1) return;
    const map = event.currentTarget.getBoundingClientRect();
    const { scale, left, top } = placeOnMap(layout);
    onMove({ x: (event.clientX - map.left - left) / scale, y: (event.clientY - map.top - top) / scale });
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
