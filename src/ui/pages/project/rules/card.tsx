import type { ReactElement, ReactNode } from 'react';

/** A part of the project, with its title and what it is about. */
export function Card({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section className="card project-card">
      <h2>{title}</h2>
      {note !== undefined && <p className="faint project-note">{note}</p>}
      {children}
    </section>
  );
}
