import { useMemo, useState, type ReactElement } from 'react';
import { parse } from 'yaml';
import { api, describeError, queryClient, useCan } from '../../../api/index.ts';
import { Button, CodeView, Copy, EmptyState, ErrorState, Loading, Notice, showToast } from '../../../design/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { useShownObject } from '../use-application.ts';
import { useComparison, useManifest, useResourceName } from './use-resource.ts';
import { toYaml } from './yaml-text.ts';

/** The manifest as it lives, which those who may can edit. */
export function LiveManifest({ resource }: { readonly resource: ShownResource }): ReactElement {
  const { data, error, refetch } = useManifest(resource);
  const [edited, setEdited] = useState<string>();
  const [withOwners, setWithOwners] = useState(false);
  const text = useMemo(() => toYaml(data, { withOwners }), [data, withOwners]);
  const { group, kind, namespace, name } = resource;
  const permission = useCan('applications', `update/${group}/${kind}/${namespace}/${name}`, useShownObject());
  if (resource.uid === '') return <EmptyState title="It does not exist">The source declares it, and a sync would create it.</EmptyState>;
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorState error={error} what="The manifest could not be read" onRetry={() => void refetch()} />;
  if (edited !== undefined) return <Editor resource={resource} before={text} edited={edited} onEdit={setEdited} />;
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
          onClick={() => setEdited(text)}
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
  readonly before: string;
  readonly edited: string;
  readonly onEdit: (text: string | undefined) => void;
}

function Editor({ resource, before, edited, onEdit }: EditorProps): ReactElement {
  const request = useResourceName(resource);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const patch = JSON.stringify(differenceOf(parse(before), parse(edited)) ?? {});
      await api.ApplicationService.PatchResource({ ...request, patch, patchType: 'application/merge-patch+json' });
      await queryClient.invalidateQueries({ queryKey: ['application', request.appNamespace, request.name, 'manifest', resource.id] });
      showToast('good', `${resource.kind} ${resource.name} was changed`);
      onEdit(undefined);
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="stack resource-manifest">
      <Notice tone="warn">
        What you change here is not in the source: the application will be out of sync, and a sync or self-heal takes it back.
      </Notice>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <CodeView text={before} label="Edit the live manifest" onChange={(text) => onEdit(text)} />
      <div className="row resource-foot">
        <Button onClick={() => onEdit(undefined)}>Cancel</Button>
        <Button
          look="primary"
          isBusy={isBusy}
          disabledReason={edited === before ? 'Nothing is changed yet' : undefined}
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
    </div>
  );
}

/** The merge patch from one value to another; undefined where they are equal. */
export function differenceOf(before: unknown, after: unknown): unknown {
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
