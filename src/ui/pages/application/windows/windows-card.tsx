import type { ReactElement } from 'react';
import { AppLink } from '../../../app/index.ts';
import { Badge } from '../../../design/index.ts';
import { useShown } from '../use-application.ts';
import { describeTimes, forbidsSync } from './describe-windows.ts';
import { useSyncWindows, type TimedWindow } from './use-sync-windows.ts';

/** The sync windows that speak about the application, and when each is open. */
export function WindowsCard(): ReactElement | null {
  const { spec } = useShown();
  const windows = useSyncWindows();
  if (windows === undefined) return null;
  const now = Date.now();
  const isForbidden = forbidsSync(windows, now) !== undefined;
  return (
    <section className="card details-card" aria-label="Sync windows">
      <h2 className="row">
        Sync windows{' '}
        {windows.windows.length > 0 && (
          <Badge tone={isForbidden ? 'warn' : 'good'}>{isForbidden ? 'no syncs now' : 'syncs are possible now'}</Badge>
        )}
      </h2>
      {windows.windows.length === 0 ? (
        <p className="soft">
          None speaks about this application: it can be synced at any time. Windows belong to projects:{' '}
          <AppLink to={`/settings/projects/${encodeURIComponent(spec.project)}`}>
            <bdi>{spec.project}</bdi>
          </AppLink>
          .
        </p>
      ) : (
        <ul className="details-windows">
          {windows.windows.map((window, index) => (
            <WindowRow key={`${index} ${window.schedule}`} window={window} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}

function WindowRow({ window, now }: { readonly window: TimedWindow; readonly now: number }): ReactElement {
  const { kind, schedule, duration, timeZone, manualSync, description, isActive } = window;
  return (
    <li className="row details-window">
      <Badge tone={kind === 'deny' ? 'bad' : 'good'}>{kind}</Badge>
      <span>
        <code>{schedule}</code> for {duration} <span className="faint">{timeZone}</span>
      </span>
      <Badge tone={isActive ? 'busy' : 'mute'}>{describeTimes(window, now)}</Badge>
      {manualSync && <span className="faint">syncs by hand are allowed</span>}
      {description !== '' && <bdi className="soft">{description}</bdi>}
    </li>
  );
}
