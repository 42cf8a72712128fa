import type { ReactElement } from 'react';
import { DeletedMeanwhile, NotReadAgain, Views } from '../../app/index.ts';
import { ErrorState, Loading } from '../../design/index.ts';
import { ApplicationHeader } from './header.tsx';
import { tabs } from './tabs.ts';
import { ShowApplication, useApplication, useApplicationName } from './use-application.ts';
import './application.css';

/** One application: how it is doing, and everything in it. */
export function Page(): ReactElement {
  const name = useApplicationName();
  const { data, error, refetch } = useApplication(name);
  if (data === null) return <DeletedMeanwhile name={name.name} all="All applications" to="/applications" />;
  if (data === undefined)
    return error === null ? (
      <Loading what="Reading the application" />
    ) : (
      <ErrorState error={error} what={`${name.name} could not be read`} onRetry={() => void refetch()} />
    );
  return (
    <ShowApplication value={data}>
      <div className="application">
        {error !== null && (
          <div className="application-from-before">
            <NotReadAgain name={name.name} error={error} onRetry={() => void refetch()} />
          </div>
        )}
        <ApplicationHeader />
        <div className="application-views">
          <Views label="Views of the application" views={tabs} />
        </div>
      </div>
    </ShowApplication>
  );
}
