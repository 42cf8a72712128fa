import { useMemo, useState, type ReactElement } from 'react';
import type { Application, ApplicationSyncRequest, ResourceStatus } from '../../../../contract/gen/types.ts';
import { api, describeError } from '../../../api/index.ts';
import { Badge, Button, Check, Dialog, Notice, showToast, Status, TextField } from '../../../design/index.ts';
import { resourceId } from '../tree/resource-node.ts';
import { useShown, useShownName } from '../use-application.ts';

const OPTIONS = [
  { id: 'ServerSideApply=true', title: 'Server-side apply' },
  { id: 'ApplyOutOfSyncOnly=true', title: 'Only what is out of sync' },
  { id: 'Replace=true', title: 'Replace instead of apply' },
  { id: 'PruneLast=true', title: 'Prune last' },
  { id: 'Validate=false', title: 'Skip validation' },
  { id: 'CreateNamespace=true', title: 'Create the namespace' },
] as const;

/** Syncs the application: to which revision, what of it, and how; first as a trial where wanted. */
export function SyncDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const application = useShown();
  const name = useShownName();
  const resources = useMemo(() => (application.status?.resources ?? []).filter(({ hook }) => hook !== true), [application]);
  const [revision, setRevision] = useState('');
  const [prune, setPrune] = useState(false);
  const [force, setForce] = useState(false);
  const [options, setOptions] = useState<readonly string[]>(application.spec.syncPolicy?.syncOptions ?? []);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const [trial, setTrial] = useState<Application>();
  const [failure, setFailure] = useState<string>();
  const chosen = resources.filter((resource) => !left.has(resourceId(resource)));
  const start = async (dryRun: boolean): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const request: ApplicationSyncRequest = {
        ...name,
        dryRun,
        prune,
        ...(revision !== '' && { revision }),
        ...(left.size > 0 && {
          resources: chosen.map(({ group = '', kind = '', namespace = '', name: own = '' }) => ({ group, kind, namespace, name: own })),
        }),
        syncOptions: { items: [...options] },
        strategy: { hook: { force } },
      };
      const answer = await api.ApplicationService.Sync(request);
      if (dryRun) return setTrial(await waitForEnd(name, answer));
      showToast('busy', `Syncing ${name.name}`);
      onClose();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Sync ${name.name}`}
      isOpen
      isWide
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button isBusy={isBusy} onClick={() => void start(true)}>
            Try it first
          </Button>
          <Button
            look="primary"
            icon="sync"
            isBusy={isBusy}
            disabledReason={chosen.length === 0 && resources.length > 0 ? 'No resource is chosen' : undefined}
            onClick={() => void start(false)}
          >
            Sync now
          </Button>
        </>
      }
    >
      <div className="stack">
        <TextField
          title="Revision"
          value={revision}
          placeholder={application.spec.source?.targetRevision || 'HEAD'}
          onChange={(value) => setRevision(value.trim())}
        />
        <fieldset className="sync-choices">
          <legend>How</legend>
          <Check title="Prune: delete what the source no longer has" isOn={prune} onChange={setPrune} />
          <Check title="Force: delete and create anew what cannot be changed" isOn={force} onChange={setForce} />
          {OPTIONS.map(({ id, title }) => (
            <Check
              key={id}
              title={title}
              isOn={options.includes(id)}
              onChange={(isOn) => setOptions(isOn ? [...options, id] : options.filter((option) => option !== id))}
            />
          ))}
        </fieldset>
        <Resources {...{ resources, left }} onChange={setLeft} />
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        {trial !== undefined && <Trial application={trial} />}
      </div>
    </Dialog>
  );
}

interface ResourcesProps {
  readonly resources: readonly ResourceStatus[];
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

function Resources({ resources, left, onChange }: ResourcesProps): ReactElement {
  const all = resources.map(resourceId);
  return (
    <fieldset className="sync-resources-choice">
      <legend>
        What ({resources.length - left.size} of {resources.length})
      </legend>
      <div className="row">
        <Button look="quiet" onClick={() => onChange(new Set())}>
          All
        </Button>
        <Button look="quiet" onClick={() => onChange(new Set(resources.filter(({ status }) => status !== 'OutOfSync').map(resourceId)))}>
          What is out of sync
        </Button>
        <Button look="quiet" onClick={() => onChange(new Set(all))}>
          None
        </Button>
      </div>
      <ul>
        {resources.map((resource) => {
          const id = resourceId(resource);
          const toggle = (isOn: boolean): void => {
            const next = new Set(left);
            if (isOn) next.delete(id);
            else next.add(id);
            onChange(next);
          };
          return (
            <li key={id} className="row">
              <Check title={`${resource.kind ?? ''} ${resource.name ?? ''}`} isOn={!left.has(id)} onChange={toggle} />
              <span className="grow" />
              {resource.requiresPruning === true && <Badge tone="warn">to be pruned</Badge>}
              <Status kind="sync" value={resource.status} />
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}

function Trial({ application }: { readonly application: Application }): ReactElement {
  const state = application.status?.operationState;
  const results = state?.syncResult?.resources ?? [];
  const isGood = state?.phase === 'Succeeded';
  return (
    <Notice tone={isGood ? 'good' : 'bad'} icon={isGood ? 'check' : 'alert'}>
      <strong>The trial {isGood ? 'went well' : 'failed'}</strong>: {state?.message}
      <ul className="sync-trial">
        {results.map(({ group, kind, namespace, name, message, status }) => (
          <li key={`${group}/${kind}/${namespace}/${name}`}>
            {kind} {name}: {message || status}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const TRIAL_MS_MAX = 60_000;
const LOOK_MS = 400;

/** The application when the trial that just began has ended. */
async function waitForEnd(
  name: { readonly name: string; readonly appNamespace: string; readonly project: string },
  begun: Application,
): Promise<Application> {
  const before = begun.status?.operationState?.finishedAt;
  const request = { name: name.name, appNamespace: name.appNamespace, projects: [name.project] };
  for (const end = Date.now() + TRIAL_MS_MAX; Date.now() < end;) {
    const application = await api.ApplicationService.Get(request);
    const state = application.status?.operationState;
    if (
      application.operation === undefined &&
      state?.finishedAt != null &&
      state.finishedAt !== before &&
      state.operation.sync?.dryRun === true
    )
      return application;
    await new Promise((resolve) => window.setTimeout(resolve, LOOK_MS));
  }
  throw new Error('the trial has not ended after a minute');
}
