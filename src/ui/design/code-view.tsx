import { lazy, Suspense, type ReactElement } from 'react';
import { Loading } from './states.tsx';

export interface CodeViewProps {
  readonly text: string;
  /** Said to those who listen, as `Live manifest`. */
  readonly label: string;
  /** Makes it an editor. */
  readonly onChange?: (text: string) => void;
  readonly isWrapped?: boolean;
}

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  readonly layout?: 'split' | 'unified';
}

/** The editor is large and comes when somebody first looks at a manifest. */
const LazyCode = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirrorView }));
const LazyDiff = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirrorDiff }));

/** YAML, coloured, searchable with Ctrl F, folded by clicks. */
export function CodeView(props: CodeViewProps): ReactElement {
  return (
    <Suspense fallback={<Loading what="Opening the editor" />}>
      <LazyCode {...props} />
    </Suspense>
  );
}

/** Two YAML texts and what differs; long equal parts are folded away. */
export function DiffView(props: DiffViewProps): ReactElement {
  return (
    <Suspense fallback={<Loading what="Opening the comparison" />}>
      <LazyDiff {...props} />
    </Suspense>
  );
}
