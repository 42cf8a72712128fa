import { Suspense, type ReactElement } from 'react';
import { readText, useGo, useSearchValues } from '../../app/index.ts';
import { Button, EmptyState, ErrorState, Loading, Tabs } from '../../design/index.ts';
import { ApplicationHeader } from './header.tsx';
import { tabs } from './tabs.ts';
import { ShowApplication, useApplication, useApplicationName } from './use-application.ts';
import './application.css';

/** One application: how it is doing, and everything in it. */
export function Page(): ReactElement {
  const name = useApplicationName();
  const { data, error, refetch } = useApplication(name);
  if (data === null) return <Deleted name={name.name} />;
  if (data === undefined)
    return error === null ? (
      <Loading what="Reading the application" />
    ) : (
      <ErrorState error={error} what={`${name.name} could not be read`} onRetry={() => void refetch()} />
    );
  return (
    <ShowApplication value={data}>
      <div className="application">
        <ApplicationHeader />
        <Views />
      </div>
    </ShowApplication>
  );
}

function Views(): ReactElement {
  const [search, change] = useSearchValues();
  const selected = tabs.find(({ id }) => id === readText(search['tab'])) ?? tabs[0]!;
  return (
    <div className="application-views">
      <Tabs
        label="Views of the application"
        selected={selected.id}
        onSelect={(id) => change({ tab: id === tabs[0]!.id ? undefined : id }, { replace: false })}
        tabs={tabs.map(({ id, title, Content }) => ({
          id,
          title,
          content: (
            <Suspense fallback={<Loading what={title} />}>
              <Content />
            </Suspense>
          ),
        }))}
      />
    </div>
  );
}

function Deleted({ name }: { readonly name: string }): ReactElement {
  const go = useGo();
  return (
    <EmptyState
      icon="trash"
      title={`${name} has been deleted`}
      action={<Button onClick={() => go('/applications')}>All applications</Button>}
    >
      It was deleted while you were looking at it.
    </EmptyState>
  );
}
