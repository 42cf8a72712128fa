import type { ReactElement, ReactNode } from 'react';
import { CallError, callCodes, describeError } from '../api/index.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import type { Tone } from './status.tsx';

export interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  /** What to do next. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Nothing here, and what to do about it. */
export function EmptyState({ icon = 'search', title, children, action }: EmptyStateProps): ReactElement {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && <div>{action}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  readonly error: unknown;
  /** What was being done, as in `The applications could not be read`. */
  readonly what: string;
  readonly onRetry?: () => void;
}

/** What happened, and what to do. */
export function ErrorState({ error, what, onRetry }: ErrorStateProps): ReactElement {
  return (
    <div className="empty" role="alert">
      <Icon name="alert" size={28} />
      <h2>{what}</h2>
      <p>{describeError(error)}</p>
      <p className="faint">{advise(error)}</p>
      {onRetry && (
        <div>
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

function advise(error: unknown): string {
  const code = error instanceof CallError ? error.code : undefined;
  if (code === callCodes.permissionDenied) return 'Ask somebody who manages access for permission; User info shows the groups you are in.';
  if (code === callCodes.notFound) return 'It may have been deleted or renamed.';
  if (code === callCodes.unavailable) return 'Check the network and whether the server runs; this page goes on by itself when it answers.';
  if (code === callCodes.deadlineExceeded) return 'The server may be busy, or something it depends on does not answer.';
  return 'If it stays so, the log of the server says more.';
}

/** A remark in the page. */
export function Notice({
  tone = 'mute',
  icon = 'alert',
  children,
}: {
  readonly tone?: Tone;
  readonly icon?: IconName;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="notice" data-tone={tone}>
      <Icon name={icon} />
      <div className="grow">{children}</div>
    </div>
  );
}

/** Above what could not be read again: it stays where it is, and nobody is to take it for the present. The sentence says what happened. */
export function FromBefore({ children, onRetry }: { readonly children: ReactNode; readonly onRetry: () => void }): ReactElement {
  return (
    <div role="alert">
      <Notice tone="bad">
        {children} What you see is from before.{' '}
        <Button look="quiet" icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      </Notice>
    </div>
  );
}

/** Something is on its way. Quick answers never show it. */
export function Loading({ what = 'Loading' }: { readonly what?: string }): ReactElement {
  return (
    <div className="empty" role="status">
      <Icon name="progress" size={22} isSpinning />
      <span className="visually-hidden">{what}</span>
    </div>
  );
}
