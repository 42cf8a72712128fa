import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationPodLogsQuery, LogEntry } from '../../../contract/index.ts';
import type { LogOptions } from '../../../kube/index.ts';
import type { ResourceNode } from '../../../model/index.ts';
import { parseTime } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { mayDo, permissionDenied, requireAllowed } from '../authorise.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { applicationObject, findApplication } from './find-application.ts';
import { checkNowAndThen } from './check-now-and-then.ts';
import { createLineFilter, readLines, type LogLine } from './log-lines.ts';
import { mergeLines } from './merge-lines.ts';

/** Streams the logs of the pods that a query means. The last entry is empty and says so. */
export async function* streamPodLogs(
  context: ApplicationServiceOptions,
  query: ApplicationPodLogsQuery,
  call: Call,
): AsyncIterable<LogEntry> {
  const untilMs = readUntil(query.untilTime ?? '');
  const { application } = await findApplication(context, call, { ...query, action: 'get' });
  const object = applicationObject(context, application.spec.project || 'default', application.metadata);
  const requireRights = (): void => {
    requireAllowed(context.policy, call, { resource: 'logs', action: 'get', object });
    if (!mayDo(context.policy, call, { resource: 'applications', action: 'get', object })) throw permissionDenied();
  };
  requireRights();
  const keeps = createLineFilter(readFilter(query.filter ?? ''), query.matchCase ?? false);
  const { nodes = [] } = await context.inspector.tree(application, { signal: call.signal });
  const pods = findPods(nodes, query);
  if (pods.length === 0) return;
  if (pods.length > context.settings.current.general.maxPodLogsToRender)
    throw new ApiError(Code.InvalidArgument, 'max pods to view logs are reached. Please provide more granular query');
  const { api } = context.clusters.resolve(application.spec.destination);
  const options = logOptions(query, call.signal);
  const streams = pods.map((pod) => readLines(api, { namespace: pod.namespace ?? '', name: pod.name ?? '' }, options));
  const merged = mergeLines(streams, { follow: query.follow ?? false, timers: context.timers });
  // Rights may go while somebody follows; what was allowed at the beginning is not allowed for ever, not even to wait for more.
  for await (const line of checkNowAndThen(merged, { timers: context.timers, check: requireRights })) {
    if (untilMs !== undefined && line.timeMs > untilMs) {
      yield { ...entryOf(line), last: true };
      return;
    }
    if (keeps(line.content)) yield entryOf(line);
  }
  yield { content: '', timeStamp: null, last: true, timeStampStr: '', podName: pods.at(-1)?.name ?? '' };
}

/** A filter is a part of a line, and nobody looks for more than this. */
const filterCharactersMax = 1_024;

function readFilter(text: string): string {
  if (text.length > filterCharactersMax)
    throw new ApiError(Code.InvalidArgument, `filter must not be longer than ${filterCharactersMax} characters`);
  return text;
}

function readUntil(text: string): number | undefined {
  if (text === '') return undefined;
  const timeMs = parseTime(text);
  if (timeMs === undefined) throw new ApiError(Code.InvalidArgument, `invalid untilTime parameter value: ${text}`);
  return timeMs;
}

/** The pods that fit, or that belong to something that fits. */
function findPods(nodes: readonly ResourceNode[], query: ApplicationPodLogsQuery): readonly ResourceNode[] {
  const asked = {
    kind: query.podName ? 'Pod' : (query.kind ?? ''),
    group: query.group ?? '',
    name: query.podName || (query.resourceName ?? ''),
    namespace: query.namespace ?? '',
  };
  const fits = (node: ResourceNode): boolean =>
    (asked.kind === '' || node.kind === asked.kind) &&
    (asked.group === '' || (node.group ?? '') === asked.group) &&
    (asked.name === '' || node.name === asked.name) &&
    (asked.namespace === '' || node.namespace === asked.namespace);
  const children = childrenOf(nodes);
  // Down from what fits, and each node once: where owners have several owners of their own, there are more ways up than can be walked.
  const reached = new Set(nodes.filter(fits));
  for (const { uid = '' } of reached) for (const child of children.get(uid) ?? []) reached.add(child);
  return nodes.filter((node) => node.kind === 'Pod' && (node.group ?? '') === '' && node.uid && reached.has(node));
}

/** What belongs to each node, by its uid. */
function childrenOf(nodes: readonly ResourceNode[]): ReadonlyMap<string, readonly ResourceNode[]> {
  const children = new Map<string, ResourceNode[]>();
  for (const node of nodes) {
    for (const { uid = '' } of node.parentRefs ?? []) {
      const known = children.get(uid);
      if (uid !== '' && known === undefined) children.set(uid, [node]);
      else known?.push(node);
    }
  }
  return children;
}

function logOptions(query: ApplicationPodLogsQuery, signal: AbortSignal): LogOptions {
  const { container = '', follow = false, previous = false, sinceSeconds = 0, tailLines = 0, sinceTime } = query;
  return {
    timestamps: true,
    signal,
    ...(container !== '' && { container }),
    ...(follow && { follow }),
    ...(previous && { previous }),
    ...(sinceSeconds > 0 && { sinceSeconds }),
    ...(sinceTime && { sinceTime }),
    ...(tailLines > 0 && { tailLines }),
  };
}

function entryOf({ content, timeStamp, podName }: LogLine): LogEntry {
  return { content, timeStamp: timeStamp === '' ? null : timeStamp, last: false, timeStampStr: timeStamp, podName };
}
