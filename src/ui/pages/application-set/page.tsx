import { Suspense, type ReactElement } from 'react';
import { readText, useGo, useSearchValues } from '../../app/index.ts';
import { Button, EmptyState, ErrorState, Loading, Tabs } from '../../design/index.ts';
import { SetHeader } from './header.tsx';
import { tabs } from './tabs.ts';
import { ShowApplicationSet, useApplicationSet, useApplicationSetName } from './use-application-set.ts';
import './application-set.css';

/** One application set: what it makes, from what, and how that goes. */
export function Page(): ReactElement {
  const name = useApplicationSetName();
  const { data, error, refetch } = useApplicationSet(name);
  if (data === null) return <Deleted name={name.name} />;
  if (data === undefined)
    return error === null ? (
      <Loading what="Reading the ApplicationSet" />
    ) : (
      <ErrorState error={error} what={`${name.name} could not be read`} onRetry={() => void refetch()} />
    );
  return (
    <ShowApplicationSet value={data}>
      <div className="application-set">
        <SetHeader />
        <Views />
      </div>
    </ShowApplicationSet>
  );
}

function Views(): ReactElement {
  const [search, change] = useSearchValues();
  const selected = tabs.find(({ id }) => id === readText(search['tab'])) ?? tabs[0]!;
  return (
    <div className="application-set-views">
      <Tabs
        label="Views of the ApplicationSet"
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
      action={<Button onClick={() => go('/applicationsets')}>All ApplicationSets</Button>}
    >
      It was deleted while you were looking at it.
    </EmptyState>
  );
}
