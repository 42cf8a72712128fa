import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, type ReactElement } from 'react';
import { visibleText } from '../../../design/index.ts';
import { splitMatches, type LogLine } from './log-lines.ts';

const LINE_HEIGHT = 19;
/** This close to the end counts as being there. */
const END_PIXELS = 40;

export interface LogListProps {
  readonly lines: readonly LogLine[];
  readonly wanted: string;
  readonly isWrapped: boolean;
  readonly withPods: boolean;
  readonly withTimes: boolean;
  /** Stays at the end while new lines come, until somebody scrolls away from it. */
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

/** The lines in sight, of any number. */
export function LogList({ lines, wanted, isWrapped, withPods, withTimes, isFollowing, onFollow }: LogListProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 30,
    getItemKey: (index) => lines[index]?.number ?? index,
  });
  useLayoutEffect(() => {
    if (isFollowing && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [isFollowing, lines, virtualizer, isWrapped]);
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null || isFollowing) return;
    if (element.scrollHeight - element.scrollTop - element.clientHeight < END_PIXELS) onFollow(true);
  };
  return (
    <div
      className="log"
      ref={scroller}
      tabIndex={0}
      role="log"
      aria-label="Log"
      aria-live="off"
      onScroll={onScroll}
      onWheel={({ deltaY }) => deltaY < 0 && onFollow(false)}
      onKeyDown={({ key }) => /^(?:ArrowUp|PageUp|Home)$/.test(key) && onFollow(false)}
    >
      <div className="log-body" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index];
          return (
            line && (
              <div
                key={key}
                className="log-line"
                data-index={index}
                data-wrapped={isWrapped || undefined}
                ref={isWrapped ? virtualizer.measureElement : undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                {withTimes && <span className="log-time">{line.time.slice(0, 23)}</span>}
                {withPods && <span className="log-pod one-line">{line.pod}</span>}
                <span className="log-text">
                  {splitMatches(visibleText(line.text), wanted).map((part, place) =>
                    // oxlint-disable-next-line react/no-array-index-key -- the parts of a line never change their order
                    place % 2 === 1 ? <mark key={place}>{part}</mark> : part,
                  )}
                </span>
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
