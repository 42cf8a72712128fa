import { Suspense, type ComponentType, type ReactElement } from 'react';
import { CallError, callCodes, describeError } from '../api/index.ts';
import { Button, EmptyState, FromBefore, Loading, Tabs } from '../design/index.ts';
import { readText, useGo, useSearchValues } from './navigation.tsx';

/** A side of the thing that a page is about. Its code is fetched when somebody goes there. */
export interface View {
  readonly id: string;
  readonly title: string;
  readonly Content: ComponentType;
}

interface ViewsProps {
  readonly label: string;
  /** The first is the one that is shown without being asked for. */
  readonly views: readonly View[];
  /** What of the address belongs to one view, and goes when another is chosen. */
  readonly forgets?: readonly string[];
}

/** The sides of one thing as tabs; the address says which is open. */
export function Views({ label, views, forgets = [] }: ViewsProps): ReactElement {
  const [search, change] = useSearchValues();
  const first = views[0]!.id;
  const selected = views.find(({ id }) => id === readText(search['tab']))?.id ?? first;
  const select = (id: string): void => {
    const forgotten = Object.fromEntries(forgets.map((name) => [name, undefined]));
    change({ ...forgotten, tab: id === first ? undefined : id }, { replace: false });
  };
  const tabs = views.map(({ id, title, Content }) => ({
    id,
    title,
    content: (
      <Suspense fallback={<Loading what={title} />}>
        <Content />
      </Suspense>
    ),
  }));
  return <Tabs {...{ label, tabs, selected }} onSelect={select} />;
}

/** Instead of something that somebody deleted while it was on the page. */
export function DeletedMeanwhile({ name, all, to }: { readonly name: string; readonly all: string; readonly to: string }): ReactElement {
  const go = useGo();
  return (
    <EmptyState icon="trash" title={`${name} has been deleted`} action={<Button onClick={() => go(to)}>{all}</Button>}>
      It was deleted while you were looking at it.
    </EmptyState>
  );
}

interface NotReadAgainProps {
  readonly name: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Above something that could not be read again. Who may not see it is answered as if it were not there, so the two cannot be told apart. */
export function NotReadAgain({ name, error, onRetry }: NotReadAgainProps): ReactElement {
  const isRefused = error instanceof CallError && (error.code === callCodes.permissionDenied || error.code === callCodes.notFound);
  return (
    <FromBefore onRetry={onRetry}>
      {isRefused
        ? `${name} was deleted meanwhile, or you may no longer see it.`
        : `${name} could not be read again: ${describeError(error)}.`}
    </FromBefore>
  );
}
