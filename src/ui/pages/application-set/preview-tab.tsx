import { useQuery } from '@tanstack/react-query';
import { type ReactElement } from 'react';
import { useCan } from '../../api/index.ts';
import { readText, useSearchValues } from '../../app/index.ts';
import { Button, EmptyState, ErrorState, Loading } from '../../design/index.ts';
import { PreviewResult } from '../application-sets/editor/preview-result.tsx';
import { previewSet } from '../application-sets/editor/preview-set.ts';
import { policyObject } from '../application-sets/set-state.ts';
import { EditSet } from './edit-set.tsx';
import { useShownSet } from './use-application-set.ts';

/** What would be generated now, from the set as it stands or as somebody would like it. */
export function PreviewTab(): ReactElement {
  const set = useShownSet();
  const [search, change] = useSearchValues();
  const canPreview = useCan('applicationsets', 'create', policyObject(set));
  if (canPreview.reason !== undefined)
    return (
      <EmptyState icon="key" title="You may not try this out">
        Generators use credentials of the server, so a preview is for those who may create the set. {canPreview.reason}
      </EmptyState>
    );
  if (!canPreview.allowed) return <Loading what="Checking permissions" />;
  if (readText(search['edit']) === 'true') return <EditSet onClose={() => change({ edit: undefined })} />;
  return <AsItStands onEdit={() => change({ edit: 'true' }, { replace: false })} />;
}

function AsItStands({ onEdit }: { readonly onEdit: () => void }): ReactElement {
  const set = useShownSet();
  const { namespace = '', name = '', generation } = set.metadata;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['application-set', namespace, name, 'preview', generation],
    queryFn: ({ signal }) => previewSet(set, signal),
    // Generators may be dear: they run when somebody asks.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <>
      <div className="row application-set-bar">
        <p className="soft grow">What the generators yield now, and what that would change.</p>
        <Button icon="refresh" isBusy={isFetching} onClick={() => void refetch()}>
          Preview again
        </Button>
        <Button icon="code" onClick={onEdit}>
          Try a change
        </Button>
      </div>
      {error !== null ? (
        <ErrorState error={error} what="Nothing could be generated" onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading what="Generating" />
      ) : (
        <PreviewResult changes={data} />
      )}
    </>
  );
}
