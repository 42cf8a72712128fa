import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactElement, type ReactNode } from 'react';
import type { ApplicationSpec } from '../../../../contract/gen/types.ts';
import { describeError, useCan } from '../../../api/index.ts';
import { manifestsText, renderApplication } from '../../../application-form/index.ts';
import { Button, DiffView, FormDialog, Icon, Notice, Segments, useDeed } from '../../../design/index.ts';
import { yamlOf } from '../resource/yaml-text.ts';
import { useShown, useShownName, useShownObject } from '../use-application.ts';
import { saveSpec } from './save-spec.ts';

const VIEWS = [
  { id: 'form', title: 'Change' },
  { id: 'difference', title: 'What changes' },
] as const;

interface SpecDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** The fields, of what the specification is to be. */
  readonly children: (spec: ApplicationSpec, change: (spec: ApplicationSpec) => void) => ReactNode;
}

/** Changes a part of the specification by a form, after a look at what that changes. */
export function SpecDialog({ title, onClose, children }: SpecDialogProps): ReactElement {
  const application = useShown();
  const name = useShownName();
  const permission = useCan('applications', 'update', useShownObject());
  // What was there when it was opened: changes by others meanwhile are noticed when it is saved.
  const [before] = useState(application.spec);
  const [spec, setSpec] = useState(application.spec);
  const [view, setView] = useState<'form' | 'difference'>('form');
  const deed = useDeed(onClose);
  const isSame = useMemo(() => JSON.stringify(before) === JSON.stringify(spec), [before, spec]);
  return (
    <FormDialog
      {...{ title, onClose, deed, permission }}
      isWide
      action="Save"
      disabledReason={isSame ? 'Nothing is changed yet' : undefined}
      onSubmit={() => deed.run(`${name.name} was changed`, () => saveSpec(name, before, spec))}
    >
      <div className="row">
        <Segments label="View" segments={VIEWS} value={view} onChange={setView} />
      </div>
      {/* Hidden and not taken away: half-written rows stay as they are. Enter in a field does not save: what changes is worth a look. */}
      <div
        hidden={view !== 'form'}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
        }}
      >
        {children(spec, setSpec)}
      </div>
      {view === 'difference' && (isSame ? <Notice>Nothing is changed yet.</Notice> : <Difference {...{ before, spec }} />)}
    </FormDialog>
  );
}

function Difference({ before, spec }: { readonly before: ApplicationSpec; readonly spec: ApplicationSpec }): ReactElement {
  const [isAsked, setAsked] = useState(false);
  return (
    <div className="stack">
      <h3>The specification</h3>
      <div className="form-code">
        <DiffView before={yamlOf(before)} after={yamlOf(spec)} label="Changes of the specification" layout="unified" />
      </div>
      <h3>What is rendered</h3>
      {isAsked ? (
        <RenderedDifference {...{ before, spec }} />
      ) : (
        <div>
          <Button icon="refresh" onClick={() => setAsked(true)}>
            Render both and compare
          </Button>
        </div>
      )}
    </div>
  );
}

function RenderedDifference({ before, spec }: { readonly before: ApplicationSpec; readonly spec: ApplicationSpec }): ReactElement {
  const { metadata } = useShown();
  const { data, error } = useQuery({
    queryKey: ['rendered-difference', metadata.uid, before, spec],
    queryFn: async ({ signal }) => {
      const { name = '', namespace = '', annotations } = metadata;
      const render = async (of: ApplicationSpec): Promise<string> =>
        manifestsText(await renderApplication({ metadata: { name, namespace, ...(annotations && { annotations }) }, spec: of }, signal));
      // What cannot be rendered today may be the reason for the change.
      const [old, next] = await Promise.all([render(before).catch(() => ''), render(spec)]);
      return { old, next };
    },
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (error !== null)
    return (
      <Notice tone="bad">
        It could not be rendered so: <bdi>{describeError(error)}</bdi>
      </Notice>
    );
  if (data === undefined)
    return (
      <p className="row soft" role="status">
        <Icon name="progress" isSpinning /> Rendering…
      </p>
    );
  if (data.old === data.next) return <Notice>The rendered manifests stay the same.</Notice>;
  return (
    <div className="form-code">
      <DiffView before={data.old} after={data.next} label="Changes of the rendered manifests" layout="unified" />
    </div>
  );
}
