import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { parse } from 'yaml';
import type { ApplicationSource, ApplicationSpec } from '../../../../contract/gen/types.ts';
import { api, queryClient, useCan } from '../../../api/index.ts';
import { Badge, Button, CodeView, ExternalLink, Notice, useDeed } from '../../../design/index.ts';
import { yamlOf } from '../resource/yaml-text.ts';
import { useShown, useShownName, useShownObject } from '../use-application.ts';
import './details.css';

/** What the application is told to do, and the means to tell it something else. */
export function DetailsTab(): ReactElement {
  const { spec, status } = useShown();
  const canUpdate = useCan('applications', 'update', useShownObject());
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <SpecEditor onClose={() => setEditing(false)} />;
  const sources = spec.sources ?? (spec.source === undefined ? [] : [spec.source]);
  return (
    <div className="stack details">
      <div className="row">
        <span className="grow" />
        <Button icon="code" permission={canUpdate} onClick={() => setEditing(true)}>
          Edit as YAML
        </Button>
      </div>
      <section className="card details-card">
        <h2>Destination</h2>
        <dl className="facts">
          <dt>Project</dt>
          <dd>{spec.project}</dd>
          <dt>Cluster</dt>
          <dd>{spec.destination.name || spec.destination.server}</dd>
          <dt>Namespace</dt>
          <dd>{spec.destination.namespace || <span className="soft">that of each resource</span>}</dd>
        </dl>
      </section>
      {sources.map((source, index) => (
        <SourceCard
          key={`${source.repoURL}/${source.path ?? source.chart ?? ''}/${index}`}
          source={source}
          type={status?.sourceTypes?.[index] ?? status?.sourceType}
        />
      ))}
      <PolicyCard spec={spec} />
      <WindowsCard />
    </div>
  );
}

function SourceCard({ source, type }: { readonly source: ApplicationSource; readonly type: string | undefined }): ReactElement {
  const { repoURL, path, chart, targetRevision, helm, kustomize, directory, plugin } = source;
  const parameters = helm ?? kustomize ?? directory ?? plugin;
  return (
    <section className="card details-card">
      <h2 className="row">Source {type !== undefined && type !== '' && <Badge>{type}</Badge>}</h2>
      <dl className="facts">
        <dt>Repository</dt>
        <dd>
          <ExternalLink href={repoURL} />
        </dd>
        <dt>{chart === undefined ? 'Path' : 'Chart'}</dt>
        <dd>{chart ?? path ?? '.'}</dd>
        <dt>Revision</dt>
        <dd>{targetRevision || 'HEAD'}</dd>
        {kustomize?.images !== undefined && (
          <>
            <dt>Images</dt>
            <dd className="mono">{kustomize.images.join(', ')}</dd>
          </>
        )}
        {(helm?.parameters ?? []).map(({ name = '', value = '' }) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {parameters !== undefined && <CodeView text={yamlOf(parameters)} label={`Parameters of ${repoURL}`} />}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactElement {
  return (
    <>
      <dt className="mono">{name}</dt>
      <dd className="mono">{value}</dd>
    </>
  );
}

function PolicyCard({ spec }: { readonly spec: ApplicationSpec }): ReactElement {
  const { automated, syncOptions = [], retry } = spec.syncPolicy ?? {};
  const isAutomated = automated !== undefined && automated.enabled !== false;
  return (
    <section className="card details-card">
      <h2>Sync policy</h2>
      <dl className="facts">
        <dt>Automation</dt>
        <dd>
          {isAutomated
            ? `on${automated.prune === true ? ', prunes' : ''}${automated.selfHeal === true ? ', heals drift' : ''}${automated.allowEmpty === true ? ', may delete everything' : ''}`
            : 'off: somebody has to sync'}
        </dd>
        <dt>Options</dt>
        <dd>{syncOptions.length === 0 ? <span className="soft">none</span> : syncOptions.join(', ')}</dd>
        <dt>Retries</dt>
        <dd>
          {retry?.limit === undefined || retry.limit === 0 ? (
            <span className="soft">none</span>
          ) : retry.limit < 0 ? (
            'without limit'
          ) : (
            retry.limit
          )}
        </dd>
        <dt>Ignored differences</dt>
        <dd>
          {(spec.ignoreDifferences ?? []).length === 0 ? <span className="soft">none</span> : `${spec.ignoreDifferences!.length} rules`}
        </dd>
      </dl>
    </section>
  );
}

function WindowsCard(): ReactElement | null {
  const name = useShownName();
  const { data } = useQuery({
    queryKey: ['application', name.appNamespace, name.name, 'windows'],
    queryFn: ({ signal }) => api.ApplicationService.GetApplicationSyncWindows(name, { signal }),
  });
  const assigned = data?.assignedWindows ?? [];
  if (data === undefined || assigned.length === 0) return null;
  const active = new Set((data.activeWindows ?? []).map((window) => JSON.stringify(window)));
  return (
    <section className="card details-card">
      <h2 className="row">
        Sync windows <Badge tone={data.canSync ? 'good' : 'warn'}>{data.canSync ? 'syncs are possible now' : 'closed now'}</Badge>
      </h2>
      <ul className="details-windows">
        {assigned.map((window) => (
          <li key={JSON.stringify(window)} className="row">
            <Badge tone={window.kind === 'deny' ? 'bad' : 'good'}>{window.kind}</Badge>
            <code>{window.schedule}</code> for {window.duration}
            {window.manualSync && <span className="faint">syncs by hand are allowed</span>}
            {active.has(JSON.stringify(window)) && <Badge tone="busy">open now</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SpecEditor({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { spec } = useShown();
  const name = useShownName();
  // What was there when editing began: changes by others meanwhile must not overwrite what is being typed.
  const [before] = useState(() => yamlOf(spec));
  const [text, setText] = useState(before);
  const { failure, isBusy, run } = useDeed(onClose);
  const save = (): void =>
    run(`${name.name} was changed`, async () => {
      const next = parse(text) as ApplicationSpec;
      await api.ApplicationService.UpdateSpec({ ...name, project: next.project, spec: next, validate: true });
      await queryClient.invalidateQueries({ queryKey: ['application', name.appNamespace, name.name] });
    });
  return (
    <div className="stack details">
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <CodeView text={before} label="Specification of the application" onChange={setText} />
      <div className="row details-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" isBusy={isBusy} disabledReason={text === before ? 'Nothing is changed yet' : undefined} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  );
}
