import type { Application, ApplicationSource, ApplicationSpec } from '../contract/index.ts';
import { canonicalJson } from '../objects/index.ts';
import type { JsonValue } from '../objects/index.ts';

/**
 * A spec in the form in which it is kept: the project is named, and blocks that say nothing are gone, so that two specs that mean the same
 * are equal.
 */
export function normalizeSpec(spec: ApplicationSpec): ApplicationSpec {
  const { source, sources, syncPolicy, ...others } = spec;
  const normalized: ApplicationSpec = { ...others, project: spec.project || 'default' };
  if (source) normalized.source = normalizeSource(source);
  if (sources) normalized.sources = sources.map(normalizeSource);
  if (syncPolicy && !isEmpty(syncPolicy)) normalized.syncPolicy = syncPolicy;
  return normalized;
}

function normalizeSource(source: ApplicationSource): ApplicationSource {
  const { kustomize, helm, directory, plugin, ...others } = source;
  const normalized: ApplicationSource = others;
  if (kustomize && !isEmptySourceBlock(kustomize)) normalized.kustomize = kustomize;
  if (helm && !isEmptySourceBlock(helm)) normalized.helm = helm;
  if (directory && !isEmptySourceBlock(directory)) normalized.directory = directory;
  // Which plugin is meant may be left to the plugins: an empty block still asks for one.
  if (plugin) normalized.plugin = plugin;
  return normalized;
}

/** Nothing in it but nothings. */
function isEmpty(block: object): boolean {
  return Object.values(block).every((value) => isNothing(value));
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0)
  );
}

/** A block inside a source's block that says nothing is nothing too; inside a policy it is something: `automated: {}` automates. */
function isEmptySourceBlock(block: object): boolean {
  return Object.values(block).every(
    (value) => isNothing(value) || (typeof value === 'object' && Object.keys(value as object).length === 0),
  );
}

/** Whether two applications mean the same: what a create of one that exists is checked against. */
export function sameApplication(left: Application, right: Application): boolean {
  return comparable(left) === comparable(right);
}

function comparable({ metadata, spec }: Application): string {
  const { labels = {}, annotations = {}, finalizers = [] } = metadata;
  const value = { spec: normalizeSpec(spec), labels, annotations, finalizers };
  // Through JSON, so that a field that is undefined and one that is absent are the same.
  return canonicalJson(JSON.parse(JSON.stringify(value)) as JsonValue);
}
