import type { ReactElement } from 'react';
export function Page(): ReactElement {
  return <h1>Applications</h1>;
}
