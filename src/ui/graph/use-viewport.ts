import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type FocusEvent, type RefObject } from 'react';
import type { Layout } from './layout.ts';
import { begin, wholeOf, overlaps, seenArea, zoomAt, type Area, type Size, type Viewport } from './viewport.ts';

/** Elements are made for so many screens around what is seen, so that small moves make none. */
const MARGIN = 0.5;
const ZOOM_STEP = 1.25;
const PAN_STEP = 80;

export interface ViewportControl {
  /** The part of the drawing that elements are made for; undefined while it is drawn too small for any. */
  readonly area: Area | undefined;
  readonly zoom: (factor: number) => void;
  readonly fitAll: () => void;
  readonly centre: (point: { readonly x: number; readonly y: number }) => void;
  /** For the screen: brings a box into sight that is reached by keyboard. Boxes say in `data-node` which they are. */
  readonly onFocus: (event: FocusEvent) => void;
}

interface ViewportOptions {
  /** How large boxes are. */
  readonly box: Size;
  /** Below this size no elements are made: nobody could read them. */
  readonly elementsScaleMin?: number;
  readonly onMove: (viewport: Viewport, size: Size) => void;
}

/**
 * Moves and zooms a drawing on a screen. The present state is not React's, so that a move draws nothing anew: `onMove` is called for
 * each frame, and React hears of it only when other elements come into sight.
 */
export function useViewport(
  screen: RefObject<HTMLDivElement | null>,
  layout: Layout | undefined,
  { box, elementsScaleMin = 0, onMove }: ViewportOptions,
): ViewportControl {
  const viewport = useRef<Viewport>({ x: 0, y: 0, scale: 1 });
  const moved = useRef(onMove);
  const drawn = useRef<Area>(undefined);
  const frame = useRef(0);
  const [area, setArea] = useState<Area>();
  useLayoutEffect(() => {
    moved.current = onMove;
  });

  const show = useCallback(() => {
    frame.current = 0;
    const size = sizeOf(screen.current);
    moved.current(viewport.current, size);
    const seen = seenArea(viewport.current, size);
    if (viewport.current.scale < elementsScaleMin) {
      if (drawn.current !== undefined) setArea((drawn.current = undefined));
    } else if (drawn.current === undefined || !contains(drawn.current, seen)) {
      setArea((drawn.current = seenArea(viewport.current, size, MARGIN)));
    }
  }, [screen, elementsScaleMin]);
  const change = useCallback(
    (next: Viewport) => {
      viewport.current = next;
      if (frame.current === 0) frame.current = requestAnimationFrame(show);
    },
    [show],
  );

  const hasBegun = useRef(false);
  useLayoutEffect(() => {
    if (layout === undefined) return;
    if (!hasBegun.current) viewport.current = begin(layout, sizeOf(screen.current));
    hasBegun.current = true;
    drawn.current = undefined;
    show();
  }, [layout, screen, show]);

  const zoom = useCallback(
    (factor: number) => {
      const { width, height } = sizeOf(screen.current);
      change(zoomAt(viewport.current, factor, { x: width / 2, y: height / 2 }));
    },
    [change, screen],
  );
  const pan = useCallback(
    (dx: number, dy: number) => change({ ...viewport.current, x: viewport.current.x + dx, y: viewport.current.y + dy }),
    [change],
  );
  const fitAll = useCallback(() => {
    if (layout !== undefined) change(wholeOf(layout, sizeOf(screen.current)));
  }, [change, layout, screen]);
  const centre = useCallback(
    ({ x, y }: { readonly x: number; readonly y: number }) => {
      const { width, height } = sizeOf(screen.current);
      const { scale } = viewport.current;
      change({ x: width / 2 - x * scale, y: height / 2 - y * scale, scale });
    },
    [change, screen],
  );

  const places = useMemo(() => new Map(layout?.nodes.map((node) => [node.id, node])), [layout]);
  const onFocus = useCallback(
    ({ target }: FocusEvent) => {
      // It comes into sight by a move of the drawing, not by a scroll of the screen.
      screen.current?.scrollTo(0, 0);
      const place = places.get(target.closest<HTMLElement>('[data-node]')?.dataset['node'] ?? '\0');
      if (place !== undefined && target.matches(':focus-visible')) centre({ x: place.x + box.width / 2, y: place.y + box.height / 2 });
    },
    [screen, places, centre, box],
  );

  useEffect(() => listen(screen.current, { viewport, change, pan, zoom, show }), [screen, change, pan, zoom, show]);
  return { area, zoom, fitAll, centre, onFocus };
}

interface Handlers {
  readonly viewport: RefObject<Viewport>;
  readonly change: (next: Viewport) => void;
  readonly pan: (dx: number, dy: number) => void;
  readonly zoom: (factor: number) => void;
  readonly show: () => void;
}

/** Wheel and pinch, drags of the ground, keys, and changes of size. Returns how to stop. */
function listen(element: HTMLDivElement | null, { viewport, change, pan, zoom, show }: Handlers): (() => void) | undefined {
  if (element === null) return undefined;
  const over = new AbortController();
  const { signal } = over;
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    if (!event.ctrlKey && !event.metaKey) return pan(-event.deltaX, -event.deltaY);
    const { left, top } = element.getBoundingClientRect();
    change(zoomAt(viewport.current, Math.exp(-event.deltaY * 0.01), { x: event.clientX - left, y: event.clientY - top }));
  };
  const onPointerDown = (event: PointerEvent): void => {
    const isGround = event.target instanceof Element && event.target.closest('[data-node], button') === null;
    if (event.button !== 0 || !isGround) return;
    element.setPointerCapture(event.pointerId);
    element.dataset['dragging'] = '';
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (element.hasPointerCapture(event.pointerId)) pan(event.movementX, event.movementY);
  };
  const onPointerUp = (): void => void delete element.dataset['dragging'];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
    const deeds: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => pan(PAN_STEP, 0),
      ArrowRight: () => pan(-PAN_STEP, 0),
      ArrowUp: () => pan(0, PAN_STEP),
      ArrowDown: () => pan(0, -PAN_STEP),
      '+': () => zoom(ZOOM_STEP),
      '=': () => zoom(ZOOM_STEP),
      '-': () => zoom(1 / ZOOM_STEP),
    };
    const deed = deeds[event.key];
    if (deed === undefined) return;
    event.preventDefault();
    deed();
  };
  element.addEventListener('wheel', onWheel, { passive: false, signal });
  element.addEventListener('pointerdown', onPointerDown, { signal });
  element.addEventListener('pointermove', onPointerMove, { signal });
  element.addEventListener('pointerup', onPointerUp, { signal });
  element.addEventListener('pointercancel', onPointerUp, { signal });
  element.addEventListener('keydown', onKeyDown, { signal });
  const sizes = new ResizeObserver(show);
  sizes.observe(element);
  return () => {
    over.abort();
    sizes.disconnect();
  };
}

function sizeOf(element: HTMLElement | null): Size {
  return { width: element?.clientWidth || 1, height: element?.clientHeight || 1 };
}

function contains(outer: Area, inner: Area): boolean {
  return (
    overlaps(outer, inner.left, inner.top, inner.width, inner.height) &&
    inner.left >= outer.left &&
    inner.top >= outer.top &&
    inner.left + inner.width <= outer.left + outer.width &&
    inner.top + inner.height <= outer.top + outer.height
  );
}
