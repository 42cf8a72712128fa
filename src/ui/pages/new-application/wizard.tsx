import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, useCan } from '../../api/index.ts';
import { applicationPath, AppLink, readText, useSearchValues } from '../../app/index.ts';
import {
  DestinationFields,
  ParameterFields,
  PolicyFields,
  ProjectField,
  setPart,
  SourceFields,
  useSettled,
  useSourceDetails,
} from '../../application-form/index.ts';
import { Badge, Button, Check, ErrorState, Icon, Loading, Notice, TextField } from '../../design/index.ts';
import { findNameProblem, findStepProblem, STEPS, type Draft, type StepId } from './draft.ts';
import { Review } from './review.tsx';
import type { UsedDraft } from './use-draft.ts';

/** One step after the other; the address says which one. */
export function Wizard({ draft, change, forget }: UsedDraft): ReactElement {
  const [search, changeSearch] = useSearchValues();
  const asked = STEPS.findIndex(({ id }) => id === readText(search['step']));
  // Nobody reviews what is not filled in, also not by an old link.
  const open = STEPS.findIndex(({ id }) => findStepProblem(id, draft) !== undefined);
  const reach = open < 0 ? STEPS.length - 1 : open;
  const at = Math.min(Math.max(asked, 0), reach);
  const step = STEPS[at]!;
  const problem = findStepProblem(step.id, draft);
  const go = (index: number): void => changeSearch({ step: index === 0 ? undefined : STEPS[index]!.id }, { replace: false });
  return (
    <div className="wizard">
      <Steps {...{ at, reach, draft }} onGo={go} />
      <form
        className="card wizard-step"
        aria-label={step.title}
        onSubmit={(event) => {
          event.preventDefault();
          if (step.id !== 'review' && problem === undefined) go(at + 1);
        }}
      >
        {step.id === 'source' && <SourceStep {...{ draft, change }} />}
        {step.id === 'parameters' && <ParametersStep {...{ draft, change }} />}
        {step.id === 'destination' && <DestinationStep {...{ draft, change }} />}
        {step.id === 'review' && <Review {...{ draft, change, forget }} onBack={go} />}
        {step.id !== 'review' && (
          <div className="row wizard-foot">
            {at === 0 ? (
              <Button look="quiet" icon="trash" onClick={forget}>
                Begin anew
              </Button>
            ) : (
              <Button onClick={() => go(at - 1)}>Back</Button>
            )}
            <span className="grow" />
            <Button type="submit" look="primary" disabledReason={problem}>
              Next: {STEPS[at + 1]?.title}
            </Button>
          </div>
        )}
      </form>
    </div>
  );
}

interface StepsProps {
  readonly at: number;
  /** The furthest step that one can go to. */
  readonly reach: number;
  readonly draft: Draft;
  readonly onGo: (index: number) => void;
}

function Steps({ at, reach, draft, onGo }: StepsProps): ReactElement {
  return (
    <nav aria-label="Steps" className="wizard-steps">
      <ol>
        {STEPS.map(({ id, title }, index) => (
          <li key={id}>
            <button
              type="button"
              className="wizard-link"
              aria-current={index === at ? 'step' : undefined}
              disabled={index > reach}
              onClick={() => onGo(index)}
            >
              <span className="wizard-mark" data-done={isDone(id, index, at, draft) || undefined}>
                {isDone(id, index, at, draft) ? <Icon name="check" size={12} /> : index + 1}
              </span>
              {title}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function isDone(id: StepId, index: number, at: number, draft: Draft): boolean {
  return index < at && findStepProblem(id, draft) === undefined;
}

type StepProps = Pick<UsedDraft, 'draft' | 'change'>;

function SourceStep({ draft, change }: StepProps): ReactElement {
  const { name, spec } = draft;
  const canCreate = useCan('applications', 'create', `${spec.project}/${name || '*'}`);
  const existing = useExisting(name);
  return (
    <div className="stack">
      <div className="form-columns">
        <TextField
          title="Name"
          value={name}
          placeholder="web"
          error={name === '' ? undefined : findNameProblem(name)}
          onChange={(value) => change({ name: value.trim() })}
        />
        <ProjectField project={spec.project} onChange={(project) => change({ spec: { ...spec, project } })} />
      </div>
      {canCreate.reason !== undefined && <Notice tone="warn">{canCreate.reason}</Notice>}
      {existing !== undefined && (
        <Notice tone="warn">
          There is an application of this name already: <AppLink to={applicationPath(existing)}>{existing.name}</AppLink>. Choose another
          name, or change that one.
        </Notice>
      )}
      <SourceFields
        source={spec.source}
        project={spec.project}
        appName={name}
        onChange={(source) => change({ spec: { ...spec, source } })}
      />
    </div>
  );
}

function useExisting(name: string): { readonly name?: string; readonly namespace?: string } | undefined {
  const { data } = useQuery({
    queryKey: ['applications', 'named', name],
    queryFn: ({ signal }) => api.ApplicationService.List({ name }, { signal, fields: 'items.metadata.name,items.metadata.namespace' }),
    enabled: findNameProblem(name) === undefined,
  });
  return data?.items?.find(({ metadata }) => metadata.name === name)?.metadata;
}

function ParametersStep({ draft, change }: StepProps): ReactElement {
  const { name, spec } = draft;
  const { repoURL, path, chart, targetRevision, plugin } = spec.source;
  const pluginName = useSettled(plugin?.name);
  // What is in the source does not depend on what it is given, but a plugin of that name says what it takes.
  const place = {
    repoURL,
    ...(path && { path }),
    ...(chart && { chart }),
    ...(targetRevision && { targetRevision }),
    ...(pluginName && { plugin: { name: pluginName } }),
  };
  const { data, error, isPending, refetch } = useSourceDetails(place, { project: spec.project, appName: name });
  if (isPending) return <Loading what="Looking into the source" />;
  return (
    <div className="stack">
      {error !== null && <ErrorState error={error} what="The source could not be looked at" onRetry={() => void refetch()} />}
      {data !== undefined && (
        <p className="row soft">
          <Badge>{data.type}</Badge> {TYPE_TEXTS.get(data.type ?? '')}
        </p>
      )}
      <ParameterFields
        source={spec.source}
        details={data}
        followsChoice
        onChange={(source) => change({ spec: { ...spec, source: { ...source } } })}
      />
    </div>
  );
}

const TYPE_TEXTS: ReadonlyMap<string, string> = new Map([
  ['Helm', 'A chart. Everything here may stay as it is.'],
  ['Kustomize', 'A kustomization. Everything here may stay as it is.'],
  ['Directory', 'A folder of manifests, which need no parameters.'],
  ['Plugin', 'A plugin renders it.'],
]);

function DestinationStep({ draft, change }: StepProps): ReactElement {
  const { name, spec, isFinalized } = draft;
  return (
    <div className="stack">
      <h2>Where it goes</h2>
      <DestinationFields
        destination={spec.destination}
        project={spec.project}
        appName={name}
        onChange={(destination) => change({ spec: { ...spec, destination } })}
      />
      <h2>When it is synced</h2>
      <PolicyFields policy={spec.syncPolicy ?? {}} onChange={(policy) => change({ spec: setPart(spec, 'syncPolicy', policy) })} />
      <Check
        title="Deleting the application deletes its resources"
        detail="Otherwise they go on living unless whoever deletes it says so."
        isOn={isFinalized}
        onChange={(isOn) => change({ isFinalized: isOn })}
      />
    </div>
  );
}
