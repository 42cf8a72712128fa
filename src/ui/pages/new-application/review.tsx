import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactElement } from 'react';
import { stringify } from 'yaml';
import { api, describeError, useCan } from '../../api/index.ts';
import { applicationPath, useGo, useSearchValues } from '../../app/index.ts';
import { RenderedManifests, renderApplication } from '../../application-form/index.ts';
import { Button, CodeView, Icon, Notice, Segments, useDeed } from '../../design/index.ts';
import { toApplication } from './draft.ts';
import type { UsedDraft } from './use-draft.ts';

const VIEWS = [
  { id: 'rendered', title: 'What would be deployed' },
  { id: 'application', title: 'The application' },
] as const;

/** What would be deployed, before anything is; then it is created. */
export function Review({ draft, change, forget, onBack }: UsedDraft & { readonly onBack: (step: number) => void }): ReactElement {
  const application = useMemo(() => toApplication(draft), [draft]);
  const [view, setView] = useState<'rendered' | 'application'>('rendered');
  const [, changeSearch] = useSearchValues();
  const go = useGo();
  const canCreate = useCan('applications', 'create', `${draft.spec.project}/${draft.name}`);
  const rendered = useQuery({
    queryKey: ['rendered', application],
    queryFn: ({ signal }) => renderApplication(application, signal),
    retry: false,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const deed = useDeed(() => undefined);
  const create = (): void =>
    deed.run(`${draft.name} was created`, async () => {
      const { metadata } = await api.ApplicationService.Create({ application, validate: true });
      go(applicationPath(metadata));
      forget();
    });
  const text = useMemo(() => toText(application), [application]);
  const isReady = rendered.isSuccess && !rendered.isFetching;
  return (
    <div className="stack">
      <div className="row wizard-views">
        <Segments label="View" segments={VIEWS} value={view} onChange={setView} />
        <span className="grow" />
        <Button
          look="quiet"
          icon="code"
          onClick={() => {
            change({ yaml: text });
            changeSearch({ way: 'yaml', step: undefined }, { replace: false });
          }}
        >
          Go on as YAML
        </Button>
      </div>
      {view === 'application' && (
        <div className="form-code">
          <CodeView text={text} label="The application" />
        </div>
      )}
      {view === 'rendered' && <RenderedView rendered={rendered} onBack={onBack} />}
      {deed.failure !== undefined && <Notice tone="bad">{deed.failure}</Notice>}
      <div className="row wizard-foot">
        <Button onClick={() => onBack(2)}>Back</Button>
        <span className="grow" />
        <Button
          look="primary"
          icon="check"
          permission={canCreate}
          isBusy={deed.isBusy}
          disabledReason={isReady ? undefined : 'It is created when it can be rendered'}
          onClick={create}
        >
          Create
        </Button>
      </div>
    </div>
  );
}

interface RenderedViewProps {
  readonly rendered: {
    readonly data: Awaited<ReturnType<typeof renderApplication>> | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
  readonly onBack: (step: number) => void;
}

function RenderedView({ rendered: { data, error, isFetching, refetch }, onBack }: RenderedViewProps): ReactElement {
  if (isFetching)
    return (
      <p className="row soft" role="status">
        <Icon name="progress" isSpinning /> Rendering…
      </p>
    );
  if (error !== null)
    return (
      <Notice tone="bad">
        <strong>It cannot be rendered, so it could not be deployed.</strong>
        <p className="wizard-why">{describeError(error)}</p>
        <div className="row form-retry">
          <Button onClick={() => onBack(0)}>Change the source</Button>
          <Button onClick={() => onBack(1)}>Change the parameters</Button>
          <Button onClick={() => onBack(2)}>Change the destination</Button>
          <Button icon="refresh" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      </Notice>
    );
  return data === undefined ? <></> : <RenderedManifests answer={data} />;
}

function toText(application: object): string {
  return stringify(
    { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...application },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}
