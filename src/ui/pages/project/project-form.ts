import { parse, stringify } from 'yaml';
import type { AppProject, AppProjectSpec, ProjectRole } from '../../../contract/gen/types.ts';
import { isRecord } from '../../api/index.ts';

/** What of a project is for people to write: not what the server remembers, and not which tokens there are. */
interface Editable {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly spec: AppProjectSpec;
}

/** Every field that there is: a new one in the contract has to be named here before this compiles. */
export const FIELD_TITLES: Readonly<Record<keyof AppProjectSpec, string>> = {
  description: 'Description',
  sourceRepos: 'Source repositories',
  sourceNamespaces: 'Namespaces of applications',
  destinations: 'Destinations',
  destinationServiceAccounts: 'Service accounts',
  permitOnlyProjectScopedClusters: 'Only clusters of this project',
  clusterResourceWhitelist: 'Allowed kinds of the cluster',
  clusterResourceBlacklist: 'Denied kinds of the cluster',
  namespaceResourceWhitelist: 'Allowed kinds in namespaces',
  namespaceResourceBlacklist: 'Denied kinds in namespaces',
  orphanedResources: 'Orphaned resources',
  signatureKeys: 'Signature keys',
  sourceIntegrity: 'Source integrity',
  roles: 'Roles',
  syncWindows: 'Sync windows',
};

const METADATA_TITLES = { labels: 'Labels', annotations: 'Annotations', finalizers: 'Finalizers' } as const;

/** The project as YAML, to read and to change. */
export function projectText(project: AppProject): string {
  const { labels, annotations, finalizers, spec } = editableOf(project);
  const metadata = {
    name: project.metadata.name,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(finalizers.length > 0 && { finalizers }),
  };
  const value = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec };
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Reads what somebody made of the text. Throws an Error in words for a person. */
export function readProjectText(text: string, base: AppProject): AppProject {
  const value: unknown = parse(text);
  if (!isRecord(value) || !isRecord(value['metadata']) || !isRecord(value['spec']))
    throw new Error('This is no project: it needs “metadata” and “spec”');
  const { name, labels, annotations, finalizers } = value['metadata'];
  if (name !== base.metadata.name) throw new Error('The name of a project cannot be changed: create another one');
  const texts = (given: unknown, what: string): Record<string, string> | undefined => {
    if (given == null) return undefined;
    if (!isRecord(given) || Object.values(given).some((each) => typeof each !== 'string'))
      throw new Error(`The ${what} must be texts: put numbers and “true” in quotes`);
    return given as Record<string, string>;
  };
  const [readLabels, readAnnotations] = [texts(labels, 'labels'), texts(annotations, 'annotations')];
  const read = Array.isArray(finalizers) ? finalizers.map(String) : undefined;
  return withMetadata({ ...base, spec: value['spec'] }, readLabels, readAnnotations, read);
}

export function withMetadata(
  project: AppProject,
  labels: Record<string, string> | undefined,
  annotations: Record<string, string> | undefined,
  finalizers = project.metadata.finalizers,
): AppProject {
  const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ...metadata } = project.metadata;
  const own = { ...(labels && { labels }), ...(annotations && { annotations }), ...(finalizers && { finalizers }) };
  return { ...project, metadata: { ...metadata, ...own } };
}

/** The project with one field of its spec set; undefined and empty texts and lists take the field away. */
export function withField<Field extends keyof AppProjectSpec>(
  project: AppProject,
  field: Field,
  value: AppProjectSpec[Field] | undefined,
): AppProject {
  const isEmpty = value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
  const { [field]: _before, ...left } = project.spec;
  // What is there stays in its place, so that the text differs only where somebody changed something.
  return { ...project, spec: isEmpty ? left : { ...project.spec, [field]: value } };
}

/** The project as it is sent: with the version that it was made from, so that nothing of others is undone. */
export function projectToSend(base: AppProject, next: AppProject): AppProject {
  const { labels, annotations, finalizers, spec } = editableOf(next);
  const { name, namespace, resourceVersion } = base.metadata;
  const metadata = { name, namespace, resourceVersion, labels, annotations, finalizers } as AppProject['metadata'];
  return { metadata, spec };
}

export interface Change {
  readonly title: string;
  /** As `added in-cluster / shop`; none where the field is only known to differ. */
  readonly details: readonly string[];
}

/** What differs, field by field, in words. */
export function listChanges(before: AppProject, after: AppProject): readonly Change[] {
  const [one, other] = [editableOf(before), editableOf(after)];
  const fields = Object.entries(FIELD_TITLES) as [keyof AppProjectSpec, string][];
  const changes = [
    ...Object.entries(METADATA_TITLES).map(([name, title]) =>
      compare(title, one[name as keyof typeof METADATA_TITLES], other[name as keyof typeof METADATA_TITLES]),
    ),
    ...fields.map(([name, title]) => compare(title, one.spec[name], other.spec[name])),
    // What this version does not know may differ too.
    ...unknownFields(one.spec, other.spec).map((name) => compare(name, readField(one.spec, name), readField(other.spec, name))),
  ];
  return changes.filter((change) => change !== undefined);
}

/** What I changed, on top of what somebody else saved meanwhile. Where both changed a field, mine wins and is named. */
export function mergeOnto(
  base: AppProject,
  mine: AppProject,
  theirs: AppProject,
): { readonly merged: AppProject; readonly clashes: readonly string[] } {
  const titles = (changes: readonly Change[]): ReadonlySet<string> => new Set(changes.map(({ title }) => title));
  const [own, others] = [titles(listChanges(base, mine)), titles(listChanges(base, theirs))];
  const clashes = [...own].filter((title) => others.has(title) && titles(listChanges(mine, theirs)).has(title));
  const names = [...Object.keys(FIELD_TITLES), ...unknownFields(mine.spec, theirs.spec)] as (keyof AppProjectSpec)[];
  const spec = Object.fromEntries(
    names.flatMap((name) => {
      const from = own.has(FIELD_TITLES[name] ?? name) ? mine : theirs;
      return Object.hasOwn(from.spec, name) ? [[name, from.spec[name]]] : [];
    }),
  ) as AppProjectSpec;
  const part = <Name extends 'labels' | 'annotations' | 'finalizers'>(name: Name) =>
    (own.has(METADATA_TITLES[name]) ? mine : theirs).metadata[name];
  return { merged: withMetadata({ ...theirs, spec }, part('labels'), part('annotations'), part('finalizers') ?? []), clashes };
}

/** Rows that somebody added and left empty are not meant. */
export function withoutEmptyRows(project: AppProject): AppProject {
  const spec = Object.fromEntries(
    Object.entries(project.spec).map(([name, value]) => [name, Array.isArray(value) ? value.filter((row) => !isEmptyRow(row)) : value]),
  ) as AppProjectSpec;
  const { orphanedResources } = spec;
  if (orphanedResources?.ignore !== undefined)
    spec.orphanedResources = { ...orphanedResources, ignore: orphanedResources.ignore.filter((row) => !isEmptyRow(row)) };
  return { ...project, spec };
}

function isEmptyRow(row: unknown): boolean {
  return row === '' || (isRecord(row) && Object.values(row).every((value) => value === '' || value === undefined));
}

function editableOf({ metadata, spec }: AppProject): Editable {
  const roles = spec.roles?.map(({ jwtTokens: _tokens, ...role }): ProjectRole => role);
  const { labels = {}, annotations = {}, finalizers = [] } = metadata;
  return { labels, annotations, finalizers, spec: roles === undefined ? spec : { ...spec, roles } };
}

function compare(title: string, before: unknown, after: unknown): Change | undefined {
  if (canonical({ value: before }) === canonical({ value: after })) return undefined;
  if (!isListOrMap(before) || !isListOrMap(after)) return { title, details: [] };
  const [old, next] = [itemsOf(before), itemsOf(after)];
  const details = [
    ...[...next].flatMap(([name, text]) => (old.has(name) ? (old.get(name) === text ? [] : [`changed ${name}`]) : [`added ${name}`])),
    ...[...old.keys()].flatMap((name) => (next.has(name) ? [] : [`removed ${name}`])),
  ];
  return { title, details: details.length === 0 ? ['put in another order'] : details };
}

function isListOrMap(value: unknown): boolean {
  return value === undefined || Array.isArray(value) || isFlat(value);
}

function isFlat(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'string');
}

/** The items of a list or of labels, by what people know them by. */
function itemsOf(value: unknown): ReadonlyMap<string, string> {
  if (Array.isArray(value)) return new Map(value.map((item) => [describeItem(item), canonical(item)]));
  return new Map(isRecord(value) ? Object.entries(value).map(([key, text]) => [key, canonical(text)]) : []);
}

function describeItem(item: unknown): string {
  if (!isRecord(item)) return String(item);
  const { kind, schedule, duration, name, policies } = item;
  if (typeof schedule === 'string') return [kind, schedule, duration].join(' ');
  if (typeof name === 'string' && policies !== undefined) return name;
  const texts = Object.values(item).filter((value) => typeof value === 'string' && value !== '');
  return texts.join(' / ');
}

function unknownFields(one: AppProjectSpec, other: AppProjectSpec): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !Object.hasOwn(FIELD_TITLES, name));
}

function readField(spec: AppProjectSpec, name: string): unknown {
  return Object.hasOwn(spec, name) ? spec[name as keyof AppProjectSpec] : undefined;
}

/** The same text for the same value, in whichever order its fields stand; what is empty is as if it were not there. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) =>
      isRecord(each)
        ? Object.fromEntries(
            Object.entries(each)
              .filter(([, inner]) => inner !== undefined && !(Array.isArray(inner) && inner.length === 0))
              .toSorted(([one], [other]) => (one < other ? -1 : 1)),
          )
        : each,
    ) ?? ''
  );
}
