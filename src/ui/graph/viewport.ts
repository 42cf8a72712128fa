/** What part of a drawing is seen: where its left upper corner is on the screen, and how large it is drawn. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Area extends Size {
  readonly left: number;
  readonly top: number;
}

const SCALE_MIN = 0.03;
const SCALE_MAX = 1.6;

/** Makes it larger or smaller around a point of the screen, which stays where it is. */
export function zoomAt({ x, y, scale }: Viewport, factor: number, point: { readonly x: number; readonly y: number }): Viewport {
  const next = Math.min(SCALE_MAX, Math.max(SCALE_MIN, scale * factor));
  const ratio = next / scale;
  return { x: point.x - (point.x - x) * ratio, y: point.y - (point.y - y) * ratio, scale: next };
}

/** All of the drawing, but not larger than it is. */
export function wholeOf(drawing: Size, screen: Size): Viewport {
  const scale = Math.min(1, Math.max(SCALE_MIN, Math.min(screen.width / drawing.width, screen.height / drawing.height)));
  return { x: (screen.width - drawing.width * scale) / 2, y: Math.max(0, (screen.height - drawing.height * scale) / 2), scale };
}

/** Where a visit begins: readable, from the left, and in the middle of what is there. */
export function begin(drawing: Size, screen: Size): Viewport {
  const whole = wholeOf(drawing, screen);
  const scale = Math.max(whole.scale, 0.75);
  const isWhole = drawing.height * scale <= screen.height;
  return {
    x: drawing.width * scale <= screen.width ? (screen.width - drawing.width * scale) / 2 : 0,
    y: isWhole ? (screen.height - drawing.height * scale) / 2 : screen.height / 2 - (drawing.height * scale) / 2,
    scale,
  };
}

/** The part of the drawing that is seen, and `margin` screens around it. */
export function seenArea({ x, y, scale }: Viewport, screen: Size, margin = 0): Area {
  const [width, height] = [screen.width / scale, screen.height / scale];
  return {
    left: -x / scale - width * margin,
    top: -y / scale - height * margin,
    width: width * (1 + 2 * margin),
    height: height * (1 + 2 * margin),
  };
}

export function overlaps(area: Area, left: number, top: number, width: number, height: number): boolean {
  return left < area.left + area.width && left + width > area.left && top < area.top + area.height && top + height > area.top;
}
