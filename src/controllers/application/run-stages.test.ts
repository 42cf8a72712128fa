import { describe, expect, it } from 'vitest';
import { systemTimers } from '../../base/index.ts';
import type { SyncStage, SyncTask } from '../../engine/index.ts';
import type { DiscoveredResource, ResourceType } from '../../kube/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { runStages, type StagesInput } from './run-stages.ts';

const key = { group: 'corp.example', kind: 'Widget', namespace: 'space', name: 'one' };

function type(version: string): DiscoveredResource {
  return { ...key, version, plural: 'widgets', namespaced: true } as unknown as DiscoveredResource;
}

function widget(version: string, spec: Record<string, string>): KubeObject {
  const metadata = { namespace: 'space', name: 'one', resourceVersion: '5' };
  return { apiVersion: `corp.example/${version}`, kind: 'Widget', metadata, spec };
}

/** A cluster with a widget, of which the cache knows the first version alone. */
function open(served: readonly string[]) {
  const sent: { readonly version: string; readonly body: unknown }[] = [];
  const answer = ({ version }: ResourceType) => Promise.resolve(widget(version, { [`size-${version}`]: 'small' }));
  const patch = (to: ResourceType, _ref: unknown, { body }: { readonly body: unknown }) => {
    sent.push({ version: to.version, body });
    return answer(to);
  };
  const input = {
    cluster: {
      cache: { typeOf: () => type('v1') },
      api: {
        discover: () => Promise.resolve({ resources: served.map(type), failures: [] }),
        get: answer,
        patch,
      },
    },
    projectRefusalOf: () => undefined,
    sync: {},
    syncOptions: [],
    rules: undefined,
    migratedManager: '',
    newNamespaces: new Set(),
    parallel: 1,
    timers: systemTimers,
    signal: new AbortController().signal,
  } as unknown as StagesInput;
  const desired = widget('v2', { 'size-v2': 'large' });
  const task = { ...key, version: 'v2', desired, live: widget('v1', { 'size-v1': 'small' }), isHook: false, modified: true };
  const run = (verb: SyncStage['verb']) => runStages([{ verb, tasks: [task as unknown as SyncTask] }], input);
  return { sent, run };
}

describe('An object of a version that the cluster is only about to serve', () => {
  it('is not tried before that', async () => {
    const { sent, run } = open(['v1']);
    expect((await run('dryRun')).outcomes).toEqual([]);
    expect(sent).toEqual([]);
  });

  it('is applied in that version, and compared with what lives in it, as soon as it is served', async () => {
    const { sent, run } = open(['v1', 'v2']);
    expect((await run('apply')).outcomes).toMatchObject([{ status: 'Synced', message: 'widget.corp.example/one configured' }]);
    expect(sent).toMatchObject([{ version: 'v2', body: { spec: { 'size-v2': 'large' } } }]);
    expect(sent[0]?.body).not.toHaveProperty('apiVersion');
  });

  it('says which version there is where it is not served in the end', async () => {
    const { sent, run } = open(['v1']);
    expect((await run('apply')).outcomes).toMatchObject([
      { status: 'SyncFailed', message: expect.stringContaining('Version "v1" of corp.example/Widget is installed') },
    ]);
    expect(sent).toEqual([]);
  });
});
