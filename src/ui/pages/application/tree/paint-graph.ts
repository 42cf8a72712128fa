import { statusLook, type Tone } from '../../../design/index.ts';
import { overlaps, seenArea, type Layout, type Size, type Viewport } from '../../../graph/index.ts';
import type { GraphBox } from './build-graph.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './node-card.tsx';

/** Below this size boxes are painted instead of made of elements: nobody can read them, and there may be thousands. */
export const CARDS_SCALE_MIN = 0.45;

const TONES: readonly Tone[] = ['good', 'busy', 'warn', 'bad', 'calm', 'mute'];

export interface Colours {
  readonly line: string;
  readonly surface: string;
  readonly accent: string;
  readonly tones: Readonly<Record<Tone, string>>;
}

/** The colours of the page as they are now. A canvas does not know their names. */
export function readColours(place: HTMLElement): Colours {
  const probe = document.createElement('span');
  place.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const tones = Object.fromEntries(TONES.map((tone) => [tone, read(tone)])) as Record<Tone, string>;
  const colours = { line: read('line-strong'), surface: read('surface'), accent: read('accent'), tones };
  probe.remove();
  return colours;
}

export function toneOf({ resource }: GraphBox): Tone {
  return resource?.health === undefined ? 'mute' : statusLook('health', resource.health).tone;
}

/** Fits a canvas to a size on the screen, sharp on any display, and empties it. */
export function prepareCanvas(canvas: HTMLCanvasElement, { width, height }: Size): CanvasRenderingContext2D | undefined {
  const ratio = window.devicePixelRatio || 1;
  const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== tall) [canvas.width, canvas.height] = [wide, tall];
  const context = canvas.getContext('2d') ?? undefined;
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

export interface Painting {
  readonly layout: Layout;
  readonly boxes: ReadonlyMap<string, GraphBox>;
  readonly viewport: Viewport;
  readonly screen: Size;
  readonly colours: Colours;
}

/** Arrows, and boxes where they are too small to be elements. Only what is in sight. */
export function paintGraph(context: CanvasRenderingContext2D, { layout, boxes, viewport, screen, colours }: Painting): void {
  const { x, y, scale } = viewport;
  const area = seenArea(viewport, screen);
  context.strokeStyle = colours.line;
  context.lineWidth = Math.max(0.5, Math.min(1.25, scale * 1.5));
  context.beginPath();
  for (const { points } of layout.edges) {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) continue;
    const top = Math.min(first.y, last.y);
    if (!overlaps(area, Math.min(first.x, last.x), top, Math.abs(last.x - first.x) + 1, Math.abs(last.y - first.y) + 1)) continue;
    for (const [index, point] of points.entries()) {
      if (index === 0) context.moveTo(x + point.x * scale, y + point.y * scale);
      else context.lineTo(x + point.x * scale, y + point.y * scale);
    }
  }
  context.stroke();
  if (scale >= CARDS_SCALE_MIN) return;
  const [width, height] = [CARD_WIDTH * scale, CARD_HEIGHT * scale];
  for (const { id, x: left, y: top } of layout.nodes) {
    const box = boxes.get(id);
    if (box === undefined || !overlaps(area, left, top, CARD_WIDTH, CARD_HEIGHT)) continue;
    context.fillStyle = colours.surface;
    context.fillRect(x + left * scale, y + top * scale, width, height);
    context.fillStyle = colours.tones[toneOf(box)];
    context.fillRect(x + left * scale, y + top * scale, Math.max(2, width * 0.06), height);
    context.globalAlpha = 0.35;
    context.strokeStyle = colours.tones[toneOf(box)];
    context.strokeRect(x + left * scale, y + top * scale, width, height);
    context.globalAlpha = 1;
  }
}
