import type { ReactElement } from 'react';
import { DeletedMeanwhile, NotReadAgain, Views } from '../../app/index.ts';
import { ErrorState, Loading } from '../../design/index.ts';
import { SetHeader } from './header.tsx';
import { tabs } from './tabs.ts';
import { ShowApplicationSet, useApplicationSet, useApplicationSetName } from './use-application-set.ts';
import './application-set.css';

/** One application set: what it makes, from what, and how that goes. */
export function Page(): ReactElement {
  const name = useApplicationSetName();
  const { data, error, refetch } = useApplicationSet(name);
  if (data === null) return <DeletedMeanwhile name={name.name} all="All ApplicationSets" to="/applicationsets" />;
  if (data === undefined)
    return error === null ? (
      <Loading what="Reading the ApplicationSet" />
    ) : (
      <ErrorState error={error} what={`${name.name} could not be read`} onRetry={() => void refetch()} />
    );
  return (
    <ShowApplicationSet value={data}>
      <div className="application-set">
        {error !== null && (
          <div className="application-set-from-before">
            <NotReadAgain name={name.name} error={error} onRetry={() => void refetch()} />
          </div>
        )}
        <SetHeader />
        <div className="application-set-views">
          <Views label="Views of the ApplicationSet" views={tabs} />
        </div>
      </div>
    </ShowApplicationSet>
  );
}
