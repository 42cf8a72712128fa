import type { ReactElement } from 'react';
import { useCan } from '../../api/index.ts';
import { readText, useSearchValues } from '../../app/index.ts';
import { Button, CodeView, Copy, UserText } from '../../design/index.ts';
import { describeGenerators } from '../application-sets/describe-generators.ts';
import { setToYaml } from '../application-sets/editor/set-yaml.ts';
import { policyObject, projectOf } from '../application-sets/set-state.ts';
import { EditSet } from './edit-set.tsx';
import { useShownSet } from './use-application-set.ts';

const POLICIES: ReadonlyMap<string, string> = new Map([
  ['create-only', 'creates applications, and never changes or deletes them'],
  ['create-update', 'creates and changes applications, and never deletes them'],
  ['create-delete', 'creates and deletes applications, and never changes them'],
  ['sync', 'creates, changes and deletes applications'],
]);

/** What the set is told to do, and the means to tell it something else. */
export function DetailsTab(): ReactElement {
  const set = useShownSet();
  const [search, change] = useSearchValues();
  const canUpdate = useCan('applicationsets', 'update', policyObject(set));
  if (readText(search['edit']) === 'true' && canUpdate.allowed) return <EditSet onClose={() => change({ edit: undefined })} />;
  const { metadata, spec } = set;
  const { source, sources, destination } = spec.template.spec;
  const text = setToYaml(set);
  return (
    <div className="stack">
      <section className="card application-set-card">
        <h2>What it does</h2>
        <dl className="facts">
          <dt>Generated from</dt>
          <dd>
            <UserText>{describeGenerators(spec.generators)}</UserText>
          </dd>
          <dt>Names</dt>
          <dd className="mono">
            <UserText>{spec.template.metadata.name}</UserText>
          </dd>
          <dt>Project</dt>
          <dd>
            <UserText>{projectOf(set)}</UserText>
          </dd>
          <dt>Sources</dt>
          <dd className="mono">
            <UserText>
              {(sources ?? (source ? [source] : [])).map(({ repoURL, path, chart }) => `${repoURL} ${path ?? chart ?? ''}`).join(', ')}
            </UserText>
          </dd>
          <dt>Destination</dt>
          <dd className="mono">
            <UserText>{[destination.name || destination.server, destination.namespace].filter(Boolean).join(' / ')}</UserText>
          </dd>
          <dt>Policy</dt>
          <dd>{POLICIES.get(spec.syncPolicy?.applicationsSync ?? 'sync') ?? spec.syncPolicy?.applicationsSync}</dd>
          <dt>When deleted</dt>
          <dd>
            {spec.syncPolicy?.preserveResourcesOnDeletion === true
              ? 'what applications deployed stays'
              : 'what applications deployed goes, too'}
          </dd>
          <dt>Created</dt>
          <dd>{metadata.creationTimestamp == null ? '' : new Date(metadata.creationTimestamp).toLocaleString()}</dd>
        </dl>
      </section>
      <div className="row">
        <h2 className="grow">YAML</h2>
        <Copy text={text} label="Copy the YAML" />
        <Button icon="code" permission={canUpdate} onClick={() => change({ edit: 'true' }, { replace: false })}>
          Edit
        </Button>
      </div>
      <CodeView text={text} label="ApplicationSet as YAML" />
    </div>
  );
}
