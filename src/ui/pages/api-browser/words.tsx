import type { ReactElement } from 'react';

/** A sentence of the document, in which what stands between backticks is code. */
export function Words({ text }: { readonly text: string }): ReactElement {
  // Every other part stands between backticks.
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
