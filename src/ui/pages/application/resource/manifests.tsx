import { useMemo, useState, type ReactElement } from 'react';
import { parse } from 'yaml';
import { api, queryClient, useCan } from '../../../api/index.ts';
import { Button, CodeView, Copy, EmptyState, ErrorState, Loading, Notice, useDeed, UserText } from '../../../design/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { useShownObject } from '../use-application.ts';
import { nameChangesMeanwhile } from './name-changes-meanwhile.ts';
import { useComparison, useManifest, useResourceName } from './use-resource.ts';
import { toYaml } from './yaml-text.ts';

/** The manifest as it lives, which those who may can edit. */
export function LiveManifest({ resource }: { readonly resource: ShownResource }): ReactElement {
  const { data, error, refetch } = useManifest(resource);
  // What was there when editing began: what becomes of the object meanwhile must not take the place of what is being typed.
  const [before, setBefore] = useState<string>();
  const [withOwners, setWithOwners] = useState(false);
  const text = useMemo(() => toYaml(data, { withOwners }), [data, withOwners]);
  const { group, kind, namespace, name } = resource;
  const permission = useCan('applications', `update/${group}/${kind}/${namespace}/${name}`, useShownObject());
  const isGone = resource.uid === '';
  if (before !== undefined)
    return <Editor resource={resource} before={before} now={isGone ? '' : (data ?? before)} onClose={() => setBefore(undefined)} />;
  if (isGone) return <EmptyState title="It does not exist">The source declares it, and a sync would create it.</EmptyState>;
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorState error={error} what="The manifest could not be read" onRetry={() => void refetch()} />;
  return (
    <div className="stack resource-manifest">
      <div className="row">
        <label className="row grow">
          <input type="checkbox" className="check" checked={withOwners} onChange={({ target }) => setWithOwners(target.checked)} />
          Show who owns which fields
        </label>
        <Copy text={text} label="Copy the manifest" />
        <Button
          icon="code"
          permission={permission}
          disabledReason={withOwners ? 'Hide the owners of fields first' : undefined}
          onClick={() => setBefore(data)}
        >
          Edit
        </Button>
      </div>
      <CodeView text={text} label="Live manifest" />
    </div>
  );
}

interface EditorProps {
  readonly resource: ShownResource;
  /** The object as JSON, as it was when editing began. */
  readonly before: string;
  /** As it is now; empty where it is gone. */
  readonly now: string;
  readonly onClose: () => void;
}

function Editor({ resource, before, now, onClose }: EditorProps): ReactElement {
  const request = useResourceName(resource);
  const [start] = useState(() => toYaml(before));
  const [edited, setEdited] = useState(start);
  const { failure, isBusy, run } = useDeed(onClose);
  const save = (): void =>
    run(`${resource.kind} ${resource.name} was changed`, async () => {
      const patch = JSON.stringify(differenceOf(parse(start), parse(edited)) ?? {});
      await api.ApplicationService.PatchResource({ ...request, patch, patchType: 'application/merge-patch+json' });
      await queryClient.invalidateQueries({ queryKey: ['application', request.appNamespace, request.name, 'manifest', resource.id] });
    });
  return (
    <div className="stack resource-manifest">
      <Notice tone="warn">
        What you change here is not in the source: the application will be out of sync, and a sync or self-heal takes it back.
      </Notice>
      <ChangedMeanwhile before={before} now={now} />
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <CodeView text={start} label="Edit the live manifest" onChange={setEdited} />
      <div className="row resource-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" isBusy={isBusy} disabledReason={edited === start ? 'Nothing is changed yet' : undefined} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  );
}

/** Says what others did to the object while somebody edits it. */
function ChangedMeanwhile({ before, now }: Pick<EditorProps, 'before' | 'now'>): ReactElement | null {
  const fields = useMemo(() => (now === '' ? '' : nameChangesMeanwhile(before, now)), [before, now]);
  if (now !== '' && fields === '') return null;
  return (
    <div role="status">
      <Notice tone="warn">
        {now === '' ? (
          'It is gone from the cluster. What you typed stays until you close this.'
        ) : (
          <>
            It was changed meanwhile: <UserText>{fields}</UserText>. What you typed stays. Saving sends only what you changed; where both
            changed the same field or list, yours counts.
          </>
        )}
      </Notice>
    </div>
  );
}

/** The merge patch from one value to another; undefined where they are equal. */
function differenceOf(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return JSON.stringify(before) === JSON.stringify(after) ? undefined : after;
  const patch: [string, unknown][] = [];
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) patch.push([key, null]);
  for (const [key, value] of Object.entries(after)) {
    const change = Object.hasOwn(before, key) ? differenceOf(before[key], value) : value;
    if (change !== undefined) patch.push([key, change]);
  }
  return patch.length === 0 ? undefined : Object.fromEntries(patch);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The manifest as the source declares it. */
export function DesiredManifest({ resource }: { readonly resource: ShownResource }): ReactElement {
  const { data, error, refetch } = useComparison(resource);
  if (resource.sync === undefined || data === null || data?.targetState === '')
    return <EmptyState title="Not declared by the source">It lives because of something above it in the tree.</EmptyState>;
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorState error={error} what="The manifest could not be read" onRetry={() => void refetch()} />;
  return <CodeView text={toYaml(data.targetState)} label="Desired manifest" />;
}
