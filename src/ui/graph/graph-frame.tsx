import type { ReactElement, ReactNode, RefObject } from 'react';
import { Button, Loading } from '../design/index.ts';
import type { ViewportControl } from './use-viewport.ts';
import './graph.css';

interface GraphFrameProps {
  readonly label: string;
  readonly screen: RefObject<HTMLDivElement | null>;
  readonly control: ViewportControl;
  /** Whether it is known where things go. */
  readonly isLaidOut: boolean;
  /** What moves with the drawing. */
  readonly children: ReactNode;
  /** What stands still in front of it. */
  readonly front?: ReactNode;
}

/** A drawing to move around in by pointer and by keys, with buttons that make it larger, smaller, and show all of it. */
export function GraphFrame({ label, screen, control, isLaidOut, children, front }: GraphFrameProps): ReactElement {
  return (
    <div className="graph card">
      <div className="graph-screen" ref={screen} tabIndex={0} role="group" aria-label={label} onFocus={control.onFocus}>
        {children}
      </div>
      {!isLaidOut && <Loading what="Laying out" />}
      <div className="graph-tools">
        <Button icon="plus" label="Larger" onClick={() => control.zoom(1.25)} />
        <Button icon="minus" label="Smaller" onClick={() => control.zoom(0.8)} />
        <Button icon="monitor" label="Show all" onClick={control.fitAll} />
      </div>
      {front}
    </div>
  );
}
