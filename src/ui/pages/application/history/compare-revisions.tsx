import { useState, type ReactElement } from 'react';
import type { RevisionHistory } from '../../../../contract/gen/types.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/index.ts';
import { Dialog, DiffView, EmptyState, ErrorState, Loading } from '../../../design/index.ts';
import { shortRevision } from '../reasons.ts';
import { useShownName } from '../use-application.ts';
import { revisionsOf } from './revisions-of.ts';
import { joinManifests, useManifests } from './use-revision.ts';

const LIVE = 'live';

export interface CompareRevisionsProps {
  readonly entry: RevisionHistory;
  readonly history: readonly RevisionHistory[];
  readonly onClose: () => void;
}

/** What differs between a deployment and another one, or what lives now. */
export function CompareRevisions({ entry, history, onClose }: CompareRevisionsProps): ReactElement {
  const older = history[history.indexOf(entry) + 1];
  const [other, setOther] = useState(older === undefined ? LIVE : String(older.id));
  const chosen = history.find(({ id }) => String(id) === other);
  return (
    <Dialog title={`Compare ${nameOf(entry)}`} isOpen isWide onClose={onClose}>
      <div className="stack history-compare">
        <label className="row">
          with
          <select className="input" value={other} onChange={({ target }) => setOther(target.value)}>
            <option value={LIVE}>what lives now</option>
            {history
              .filter(({ id }) => id !== entry.id)
              .map((each) => (
                <option key={each.id} value={each.id}>
                  {nameOf(each)}, deployment {each.id}
                </option>
              ))}
          </select>
        </label>
        {chosen === undefined ? <AgainstLive entry={entry} /> : <Between before={chosen} after={entry} />}
      </div>
    </Dialog>
  );
}

function Between({ before, after }: { readonly before: RevisionHistory; readonly after: RevisionHistory }): ReactElement {
  const left = useManifests(revisionsOf(before)[0] ?? '');
  const right = useManifests(revisionsOf(after)[0] ?? '');
  return <Difference before={left.data} after={right.data} error={left.error ?? right.error} label="Difference of the two deployments" />;
}

function AgainstLive({ entry }: { readonly entry: RevisionHistory }): ReactElement {
  const { name, appNamespace, project } = useShownName();
  const live = useQuery({
    queryKey: ['application', appNamespace, name, 'live-manifests'],
    queryFn: async ({ signal }) => {
      const { items = [] } = await api.ApplicationService.ManagedResources({ applicationName: name, appNamespace, project }, { signal });
      return joinManifests(items.map(({ normalizedLiveState, liveState }) => normalizedLiveState || liveState || ''));
    },
    staleTime: 0,
  });
  const declared = useManifests(revisionsOf(entry)[0] ?? '');
  return <Difference before={live.data} after={declared.data} error={live.error ?? declared.error} label="Difference from what lives" />;
}

interface DifferenceProps {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly error: unknown;
  readonly label: string;
}

function Difference({ before, after, error, label }: DifferenceProps): ReactElement {
  if (error != null) return <ErrorState error={error} what="It could not be rendered" />;
  if (before === undefined || after === undefined) return <Loading what="Rendering both" />;
  if (before === after)
    return (
      <EmptyState icon="check" title="No difference">
        Both declare the same.
      </EmptyState>
    );
  return <DiffView before={before} after={after} label={label} />;
}

function nameOf(entry: RevisionHistory): string {
  return revisionsOf(entry).map(shortRevision).join(', ');
}
