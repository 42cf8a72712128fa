import type { Cluster as LiveCluster } from '../../../clusters/index.ts';
import type { Cluster, ClusterConfig, ClusterInfo, ConnectionState } from '../../../contract/index.ts';
import { formatApiVersion, formatTime, isJsonObject, type JsonObject, type JsonValue } from '../../../objects/index.ts';

export interface DescribeOptions {
  readonly applications: number;
  readonly nowMs: number;
  /** What a probe has just found, where there was one. */
  readonly probedVersion?: string | undefined;
}

/** A cluster as callers see it: nothing in it opens anything. */
export function describeCluster(cluster: LiveCluster, options: DescribeOptions): Cluster {
  const { registration } = cluster;
  const { server, name, namespaces, shard, clusterResources, project, labels, annotations, refreshRequestedAt } = registration;
  const info = describeInfo(cluster, options);
  return {
    server,
    name,
    config: describeConfig(parseConfig(registration.config.reveal())),
    ...(info.connectionState && { connectionState: info.connectionState }),
    ...(info.serverVersion !== undefined && { serverVersion: info.serverVersion }),
    ...(namespaces.length > 0 && { namespaces: [...namespaces] }),
    ...(refreshRequestedAt !== undefined && { refreshRequestedAt }),
    info,
    ...(shard !== undefined && { shard }),
    ...(clusterResources && { clusterResources }),
    ...(project !== '' && { project }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

export function parseConfig(text: string): JsonObject {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

/** Only what is named here leaves. */
function describeConfig(config: JsonObject): ClusterConfig {
  const tls = objectOf(config['tlsClientConfig']);
  const aws = config['awsAuthConfig'];
  return {
    tlsClientConfig: {
      insecure: tls['insecure'] === true,
      ...(typeof tls['serverName'] === 'string' && tls['serverName'] !== '' && { serverName: tls['serverName'] }),
    },
    ...(isJsonObject(aws) && { awsAuthConfig: pickTexts(aws, ['clusterName', 'roleARN', 'profile']) }),
    ...(config['disableCompression'] === true && { disableCompression: true }),
    ...(typeof config['proxyUrl'] === 'string' && config['proxyUrl'] !== '' && { proxyUrl: withoutPassword(config['proxyUrl']) }),
  };
}

/** A proxy's address may carry its user and password. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  if (url.password === '' && url.username === '') return address;
  url.password = '';
  url.username = '';
  return url.href;
}

function describeInfo(cluster: LiveCluster, { applications, nowMs, probedVersion }: DescribeOptions): ClusterInfo {
  const { cache } = cluster;
  const connectionState = describeConnection(cluster, { applications, nowMs, probedVersion });
  const serverVersion = cache.serverVersion === '' ? probedVersion : cache.serverVersion;
  const isMonitored = cache.state.name === 'synced' && connectionState.status === 'Successful';
  return {
    connectionState,
    ...(serverVersion !== undefined && serverVersion !== '' && { serverVersion }),
    cacheInfo:
      isMonitored && cache.state.name === 'synced'
        ? { resourcesCount: cache.counts.rows, apisCount: cache.counts.kinds, lastCacheSyncTime: formatTime(cache.state.atMs) }
        : {},
    applicationsCount: applications,
    ...(isMonitored && { apiVersions: listApiVersions(cluster) }),
  };
}

function describeConnection({ cache }: LiveCluster, { applications, nowMs, probedVersion }: DescribeOptions): ConnectionState {
  const attemptedAt = formatTime(nowMs);
  const { state, outage } = cache;
  switch (state.name) {
    case 'synced':
      if (outage !== undefined) return { status: 'Failed', message: outage, attemptedAt };
      return { status: 'Successful', message: describeTroubles(cache), attemptedAt };
    case 'failed':
      return { status: 'Failed', message: state.message, attemptedAt: formatTime(state.atMs) };
    default: {
      if (probedVersion !== undefined) return { status: 'Successful', message: '', attemptedAt };
      const isWatched = applications > 0 || state.name === 'starting';
      return { status: 'Unknown', message: isWatched ? '' : 'Cluster has no applications and is not being monitored.', attemptedAt };
    }
  }
}

/** A cluster may be well as a whole and still have kinds that cannot be followed; the first is named. */
function describeTroubles(cache: LiveCluster['cache']): string {
  const [first, ...others] = cache.troubles();
  if (first === undefined) return '';
  const { group, kind, version } = first.type;
  const what = kind === '' ? `${group}/${version}` : `${kind}${group === '' ? '' : `.${group}`}`;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${what} cannot be followed: ${first.trouble.message}${more}`;
}

function listApiVersions({ cache }: LiveCluster): string[] {
  const versions = new Set<string>();
  for (const { verbs, kind, ...type } of cache.resources) {
    if (!verbs.includes('list') || !verbs.includes('watch')) continue;
    versions.add(formatApiVersion(type)).add(`${formatApiVersion(type)}/${kind}`);
  }
  return [...versions].toSorted();
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function pickTexts(value: JsonObject, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const text = value[name];
      return typeof text === 'string' && text !== '' ? [[name, text]] : [];
    }),
  );
}
