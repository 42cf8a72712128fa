import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { ManifestResponse } from '../../contract/index.ts';
import { buildTree, describeHosts, maskSecret, toResourceDiff, withTracking, type ResourceKey } from '../../engine/index.ts';
import {
  applicationInstanceName,
  permitsLiveResource,
  sourcesOf,
  type Application,
  type ApplicationTree,
  type ResourceDiff,
} from '../../model/index.ts';
import { createMemory, type ApplicationMemory } from './application-memory.ts';
import { checkSpec } from './check-spec.ts';
import { compare } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';
import { trackingRulesOf } from './compare-rules.ts';
import { diffOnServer, type DiffQuestion } from './diff-on-server.ts';
import { explainDifferences } from './explain-differences.ts';
import { followTree } from './follow-tree.ts';
import { loadTarget } from './load-target.ts';
import { localManifestsOf } from './local-target.ts';
import { serverDiffOptionsOf } from './predict-on-server.ts';
import type { SeenApplication } from './see-live.ts';

/** Of how many applications what was compared is remembered for those who look at them. */
const memoriesMax = 256;

interface InspectOptions {
  readonly signal: AbortSignal;
}

interface RenderOptions extends InspectOptions {
  readonly revisions?: readonly string[];
  readonly fresh?: boolean;
  /** Packed files to render instead of what the first source holds. */
  readonly upload?: Buffer;
}

/** Looks at applications as they are right now, for those who ask. Failures are ApiErrors. */
export interface Inspector {
  managedResources(application: Application, options: InspectOptions): Promise<ResourceDiff[]>;
  /** What applying objects that somebody brings would change, as the cluster says. */
  diffOnServer(
    application: Application,
    options: InspectOptions & { readonly questions: readonly DiffQuestion[] },
  ): Promise<ResourceDiff[]>;
  tree(application: Application, options: InspectOptions): Promise<ApplicationTree>;
  onTreeChange(application: Application, listener: () => void): () => void;
  manifests(application: Application, options: RenderOptions): Promise<ManifestResponse>;
}

export function createInspector(context: ControllerContext): Inspector {
  const memories = new LruMap<string, ApplicationMemory>(memoriesMax);
  const memoryOf = (application: Application): ApplicationMemory => {
    const key = `${application.metadata.uid ?? ''}`;
    const known = memories.get(key);
    if (known !== undefined) return known;
    const memory = createMemory();
    memories.set(key, memory);
    return memory;
  };

  return {
    async managedResources(application, { signal }) {
      const compared = await look(context, application, memoryOf(application), signal);
      const { result, rules, schemaOf } = compared;
      const explain = await explainDifferences(compared, signal);
      return result.resources.map((resource) => {
        const differences = explain(resource);
        const diff = toResourceDiff(resource, rules, schemaOf(resource));
        return differences.length > 0 ? { ...diff, differences } : diff;
      });
    },

    async diffOnServer(application, { questions, signal }) {
      const compared = await look(context, application, memoryOf(application), signal);
      const { includesMutations } = serverDiffOptionsOf(context.settings.current, application);
      return diffOnServer(compared, application, questions, { includesMutations, signal });
    },

    async tree(application, { signal }) {
      const { cluster, project, result, orphans } = await look(context, application, memoryOf(application), signal);
      const surroundings = context.surroundingsOf(project.metadata.name ?? '');
      const [present, missing] = [result.resources.filter(({ live }) => live), result.resources.filter(({ live }) => !live)];
      const { cache } = cluster;
      const entries = cache.tree(present);
      const hosts = describeHosts({
        rows: entries.map(({ row }) => row),
        findNode: (name) => cache.find({ group: '', kind: 'Node', name }),
        podsOn: (node) => cache.podsOn(node),
        allowedLabels: context.settings.current.general.allowedNodeLabels,
      });
      const isPermitted = (key: ResourceKey): boolean => permitsLiveResource(project, key, cluster, surroundings);
      return { ...buildTree({ entries, missing, orphaned: orphans, isPermitted }), ...(hosts.length > 0 && { hosts }) };
    },

    onTreeChange: (application, listener) => followTree(context, application, listener),

    manifests: (application, options) => renderManifests(context, application, options),
  };
}

/**
 * What the reconciler last compared with, compared anew: what is asked for here must not wait for a repository. Where the sources cannot be
 * rendered, what lives can still be looked at.
 */
async function look(
  context: ControllerContext,
  application: Application,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<SeenApplication> {
  const { revision, revisions } = application.status?.sync ?? {};
  const known = revisions ?? (revision ? [revision] : []);
  const manifests = localManifestsOf(application);
  const comparison = await compare(context, application, { revisions: known, fresh: false, manifests, memory, signal });
  if (comparison.kind === 'compared') return comparison;
  if (comparison.kind === 'failed' && comparison.seen !== undefined) return comparison.seen;
  throw new ApiError(Code.Unknown, comparison.problems.map(({ message }) => message).join('; '));
}

async function renderManifests(
  context: ControllerContext,
  application: Application,
  { revisions = [], fresh = false, upload, signal }: RenderOptions,
): Promise<ManifestResponse> {
  const checked = checkSpec(context, application);
  if (checked.kind === 'invalid') throw new ApiError(Code.Unknown, checked.problems.map(({ message }) => message).join('; '));
  const { cluster } = checked;
  await cluster.cache.whenSynced(signal);
  const sources = sourcesOf(application).map((source, index) => ({
    ...source,
    ...(revisions[index] && { targetRevision: revisions[index] }),
  }));
  // What somebody sends stands for the first source alone, at no revision of it.
  const asked = upload === undefined ? { sources, revisions: [] } : { sources: sources.slice(0, 1), revisions: ['streamed'], upload };
  const target = await loadTarget(context, application, { ...asked, fresh, cluster, signal });
  const { sensitiveAnnotations } = context.settings.current.general;
  const marks = {
    instanceName: applicationInstanceName(application, context.namespace),
    destinationNamespace: application.spec.destination.namespace ?? '',
    rules: trackingRulesOf(context.settings.current),
  };
  return {
    manifests: target.objects.map((object) => JSON.stringify(maskSecret(withTracking(object, marks), sensitiveAnnotations))),
    namespace: application.spec.destination.namespace ?? '',
    server: cluster.server,
    revision: target.revisions[0] ?? '',
    sourceType: target.sourceTypes[0] ?? '',
    ...(target.commands.length > 0 && { commands: [...target.commands] }),
  };
}
