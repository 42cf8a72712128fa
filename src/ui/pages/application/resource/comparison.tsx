import { useMemo, useState, type ReactElement } from 'react';
import type { ResourceDifference } from '../../../../contract/gen/types.ts';
import { Badge, Button, Copy, DiffView, EmptyState, ErrorState, Loading, Notice } from '../../../design/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { useComparison } from './use-resource.ts';
import { toYaml, yamlOf } from './yaml-text.ts';

/** What lives, beside what a sync would make of it, with the cause of each difference. */
export function ResourceComparison({ resource }: { readonly resource: ShownResource }): ReactElement {
  const { data, error, refetch } = useComparison(resource);
  const [layout, setLayout] = useState<'split' | 'unified'>('unified');
  const texts = useMemo(
    () => ({ before: toYaml(data?.normalizedLiveState || data?.liveState), after: toYaml(data?.predictedLiveState || data?.targetState) }),
    [data],
  );
  if (data === undefined)
    return error === null ? (
      <Loading />
    ) : (
      <ErrorState error={error} what="The comparison could not be read" onRetry={() => void refetch()} />
    );
  if (data === null)
    return (
      <EmptyState title="Not declared by the source">It lives because of something above it in the tree, and is not compared.</EmptyState>
    );
  if (texts.before === texts.after)
    return (
      <EmptyState icon="check" title="No difference">
        It is as the source declares it.
      </EmptyState>
    );
  return (
    <div className="stack resource-comparison">
      <Causes differences={data.differences ?? []} />
      <div className="row">
        <span className="soft grow">From what lives to what a sync would make of it</span>
        <Button look="quiet" isPressed={layout === 'split'} onClick={() => setLayout(layout === 'split' ? 'unified' : 'split')}>
          Side by side
        </Button>
      </div>
      <DiffView before={texts.before} after={texts.after} label="Difference of the resource" layout={layout} />
    </div>
  );
}

const CAUSES = new Map([
  ['SourceChanged', 'the source has changed since the last sync'],
  ['LiveChanged', 'it was changed in the cluster'],
  ['Defaulted', 'the API server sets it by default'],
  ['Admission', 'an admission webhook sets it'],
  ['Missing', 'it does not exist in the cluster'],
  ['Pruned', 'the source no longer declares it'],
]);

function Causes({ differences }: { readonly differences: readonly ResourceDifference[] }): ReactElement | null {
  if (differences.length === 0) return null;
  return (
    <ul className="resource-causes">
      {differences.map(({ path = '', cause = '', manager = '', ignoreRule }) => (
        <li key={path} className="row">
          <code className="grow">{path === '' ? 'the whole resource' : path}</code>
          <span className="soft">
            {CAUSES.get(cause) ?? 'the cause is not known'}
            {manager !== '' && (
              <>
                {', last written by '}
                <Badge>{manager}</Badge>
              </>
            )}
          </span>
          {ignoreRule !== undefined && (
            <Copy text={yamlOf({ ignoreDifferences: [ignoreRule] })} label={`Copy the rule that ignores ${path}`} />
          )}
        </li>
      ))}
      <li>
        <Notice icon="help">
          To leave a field to whoever writes it, copy its rule into <code>spec.ignoreDifferences</code> of the application.
        </Notice>
      </li>
    </ul>
  );
}
