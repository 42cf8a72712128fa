import type { ReactElement, ReactNode } from 'react';

export type Fact = readonly [title: string, value: ReactNode];

/** What is so about something, a line each. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): ReactElement {
  return (
    <dl className="facts">
      {facts.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
