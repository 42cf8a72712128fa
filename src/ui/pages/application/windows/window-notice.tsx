import type { ReactElement } from 'react';
import { Notice } from '../../../design/index.ts';
import { useShown } from '../use-application.ts';
import { forbidsSync, holdsAutomation } from './describe-windows.ts';
import { useSyncWindows } from './use-sync-windows.ts';

/** Says when the application cannot be synced, and until when. */
export function WindowNotice(): ReactElement | null {
  const { spec } = useShown();
  const windows = useSyncWindows();
  if (windows === undefined) return null;
  const now = Date.now();
  const { automated } = spec.syncPolicy ?? {};
  const isAutomated = automated !== undefined && automated.enabled !== false;
  const text = forbidsSync(windows, now) ?? (isAutomated ? holdsAutomation(windows, now) : undefined);
  if (text === undefined) return null;
  return (
    <div className="application-conditions">
      <Notice tone="warn" icon="clock">
        <bdi>{text}</bdi>
      </Notice>
    </div>
  );
}
