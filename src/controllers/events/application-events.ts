import type { EventNote, EventRecorder } from '../../kube/index.ts';
import { hasMultipleSources, type Application, type ApplicationStatus, type OperationState } from '../../model/index.ts';

const COMPONENT = 'argocd-application-controller';

type Note = Pick<EventNote, 'reason' | 'message' | 'isWarning'>;

/** Tells of an application, for those who look at its events. Waits for nothing: the work goes on whatever becomes of the note. */
export function recordApplicationEvents(events: EventRecorder, application: Application, notes: readonly Note[]): void {
  const { metadata, spec } = application;
  const { server = '', name = '', namespace = '' } = spec.destination;
  for (const note of notes) {
    void events.record({
      ...note,
      about: {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        name: metadata.name ?? '',
        ...(metadata.namespace && { namespace: metadata.namespace }),
        ...(metadata.uid && { uid: metadata.uid }),
        ...(metadata.resourceVersion && { resourceVersion: metadata.resourceVersion }),
        ...(metadata.labels && { labels: metadata.labels }),
      },
      component: COMPONENT,
      isPatient: true,
      annotations: { 'dest-server': server || name, 'dest-namespace': namespace },
    });
  }
}

/** What became of the states that people look at; nothing where they stayed. */
export function describeStatusChange(before: ApplicationStatus | undefined, after: ApplicationStatus): readonly Note[] {
  const changes = [
    ['sync', before?.sync?.status ?? '', after.sync?.status ?? ''],
    ['health', before?.health?.status ?? '', after.health?.status ?? ''],
  ] as const;
  return changes
    .filter(([, from, to]) => from !== to)
    .map(([what, from, to]) => ({ reason: 'ResourceUpdated', message: `Updated ${what} status: ${from} -> ${to}` }));
}

export function describeAutomatedSync(revisions: readonly string[]): Note {
  return { reason: 'OperationStarted', message: `Initiated automated sync to '${revisions.join(', ')}'` };
}

export function describeOperationEnd(application: Application, state: OperationState): Note {
  const { operation, phase, message = '', syncResult } = state;
  const isPartial = (operation.sync?.resources ?? []).length > 0;
  const revisions = hasMultipleSources(application) ? (syncResult?.revisions ?? []) : [syncResult?.revision ?? ''];
  const known = revisions.filter((revision) => revision !== '');
  const what = `${isPartial ? 'Partial sync' : 'Sync'} operation${known.length > 0 ? ` to ${known.join(', ')}` : ''}`;
  if (phase === 'Succeeded') return { reason: 'OperationCompleted', message: `${what} succeeded` };
  return { reason: 'OperationCompleted', isWarning: true, message: `${what} failed: ${message}` };
}

export function describeDeletionFailure(message: string): Note {
  return { reason: 'StatusRefreshed', isWarning: true, message: `Unable to delete application resources: ${message}` };
}
