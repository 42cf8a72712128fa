import { Dialog as AriaDialog, DialogHeading } from '@ariakit/react/dialog';
import type { ReactElement, ReactNode } from 'react';
import { Button } from './button.tsx';

export interface OverlayProps {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons, right-aligned, the main one last. */
  readonly foot?: ReactNode;
}

/** A question in front of the page. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  foot,
  isWide = false,
}: OverlayProps & { readonly isWide?: boolean }): ReactElement {
  return (
    <AriaDialog
      open={isOpen}
      onClose={onClose}
      unmountOnHide
      className="dialog"
      data-wide={isWide || undefined}
      backdrop={<div className="backdrop" />}
    >
      <OverlayInside title={title} onClose={onClose} foot={foot}>
        {children}
      </OverlayInside>
    </AriaDialog>
  );
}

/** Slides over the right of the page: the details of something on it. */
export function Panel({ title, isOpen, onClose, children, foot }: OverlayProps): ReactElement {
  return (
    <AriaDialog open={isOpen} onClose={onClose} unmountOnHide className="panel" backdrop={<div className="backdrop" />}>
      <OverlayInside title={title} onClose={onClose} foot={foot}>
        {children}
      </OverlayInside>
    </AriaDialog>
  );
}

function OverlayInside({ title, onClose, children, foot }: Omit<OverlayProps, 'isOpen'>): ReactElement {
  return (
    <>
      <header className="overlay-head">
        <DialogHeading render={<h2 />}>{title}</DialogHeading>
        {/* It has the focus first: with a tip, Escape would only close the tip. */}
        <Button look="quiet" icon="close" label="Close" hasTip={false} onClick={onClose} />
      </header>
      <div className="overlay-body">{children}</div>
      {foot !== undefined && <footer className="overlay-foot">{foot}</footer>}
    </>
  );
}
