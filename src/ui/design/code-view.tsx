import { lazy, Suspense, type ReactElement } from 'react';
import type { CodeViewProps, DiffViewProps } from './code-mirror.tsx';
import { Loading } from './states.tsx';

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
