import type { ReactElement, ReactNode } from 'react';
import { AppLink } from './navigation.tsx';

interface PageTitleProps {
  /** The list that this one thing is of. */
  readonly to: string;
  readonly of: string;
  readonly children: ReactNode;
}

/** The title of a page about one thing, with the way back to all of them. */
export function PageTitle({ to, of, children }: PageTitleProps): ReactElement {
  return (
    <h1>
      <AppLink to={to} className="page-up">
        {of}
      </AppLink>
      <span className="faint" aria-hidden="true">
        {' / '}
      </span>
      {children}
    </h1>
  );
}
