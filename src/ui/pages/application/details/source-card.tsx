import { useState, type ReactElement } from 'react';
import type { ApplicationSource, ApplicationSpec } from '../../../../contract/gen/types.ts';
import { useCan } from '../../../api/index.ts';
import { ParameterFields, SourceFields, useSourceDetails } from '../../../application-form/index.ts';
import { Badge, Button, CodeView, ExternalLink, Loading, Notice } from '../../../design/index.ts';
import { yamlOf } from '../resource/yaml-text.ts';
import { useShown, useShownObject } from '../use-application.ts';
import { SpecDialog } from './spec-dialog.tsx';

interface SourceCardProps {
  readonly source: ApplicationSource;
  readonly type: string | undefined;
  /** Which of several sources it is, from 0. */
  readonly index: number;
  readonly count: number;
}

/** Where manifests come from and what they are given, each with a form that changes it. */
export function SourceCard({ source, type, index, count }: SourceCardProps): ReactElement {
  const { repoURL, path, chart, targetRevision, helm, kustomize, directory, plugin, ref } = source;
  const parameters = helm ?? kustomize ?? directory ?? plugin;
  const canUpdate = useCan('applications', 'update', useShownObject());
  const [asked, setAsked] = useState<'source' | 'parameters'>();
  const title = count > 1 ? `Source ${index + 1}` : 'Source';
  // A source that only lends its files has nothing to be told.
  const isLent = count > 1 && !path && !chart && ref !== undefined;
  return (
    <section className="card details-card" aria-label={title}>
      <header className="row details-head">
        <h2>{title}</h2>
        {type !== undefined && type !== '' && <Badge>{type}</Badge>}
        <span className="grow" />
        <Button permission={canUpdate} onClick={() => setAsked('source')}>
          {`Edit ${title.toLowerCase()}`}
        </Button>
        {!isLent && (
          <Button permission={canUpdate} onClick={() => setAsked('parameters')}>
            {count > 1 ? `Edit parameters ${index + 1}` : 'Edit parameters'}
          </Button>
        )}
      </header>
      <dl className="facts">
        <dt>Repository</dt>
        <dd>
          <ExternalLink href={repoURL} />
        </dd>
        <dt>{chart === undefined ? 'Path' : 'Chart'}</dt>
        <dd>
          <bdi>{chart ?? path ?? '.'}</bdi>
        </dd>
        <dt>Revision</dt>
        <dd>
          <bdi>{targetRevision || 'HEAD'}</bdi>
        </dd>
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
      {asked === 'source' && (
        <SpecDialog title={`Where it comes from${count > 1 ? ` (source ${index + 1})` : ''}`} onClose={() => setAsked(undefined)}>
          {(spec, change) => <SourceForm {...{ spec, change, index }} />}
        </SpecDialog>
      )}
      {asked === 'parameters' && (
        <SpecDialog title={`Parameters${count > 1 ? ` of source ${index + 1}` : ''}`} onClose={() => setAsked(undefined)}>
          {(spec, change) => <ParametersForm {...{ spec, change, index }} stored={source} />}
        </SpecDialog>
      )}
    </section>
  );
}

interface SourceFormProps {
  readonly spec: ApplicationSpec;
  readonly change: (spec: ApplicationSpec) => void;
  readonly index: number;
}

function SourceForm({ spec, change, index }: SourceFormProps): ReactElement {
  const { metadata } = useShown();
  return (
    <SourceFields
      source={sourceAt(spec, index)}
      project={spec.project}
      appName={`${metadata.namespace ?? ''}/${metadata.name ?? ''}`}
      onChange={(source) => change(withSource(spec, index, source))}
    />
  );
}

function ParametersForm({ spec, change, index, stored }: SourceFormProps & { readonly stored: ApplicationSource }): ReactElement {
  const { metadata } = useShown();
  // What the server tells of an application is about its own sources, as they are stored.
  const [asked] = useState(stored);
  const { data, error, isPending } = useSourceDetails(asked, {
    project: spec.project,
    appName: `${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
    index,
  });
  if (isPending) return <Loading what="Looking into the source" />;
  return (
    <div className="stack">
      {error !== null && (
        <Notice tone="warn">
          The source could not be looked at, so nobody knows what it takes: <bdi>{error.message}</bdi>
        </Notice>
      )}
      <ParameterFields source={sourceAt(spec, index)} details={data} onChange={(source) => change(withSource(spec, index, source))} />
    </div>
  );
}

function sourceAt({ source, sources }: ApplicationSpec, index: number): ApplicationSource {
  return sources?.[index] ?? source ?? { repoURL: '' };
}

function withSource(spec: ApplicationSpec, index: number, source: ApplicationSource): ApplicationSpec {
  if (spec.sources === undefined || spec.sources.length === 0) return { ...spec, source };
  return { ...spec, sources: spec.sources.map((other, at) => (at === index ? source : other)) };
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactElement {
  return (
    <>
      <dt className="mono">
        <bdi>{name}</bdi>
      </dt>
      <dd className="mono">
        <bdi>{value}</bdi>
      </dd>
    </>
  );
}
