import type { Discovery, ReflectorEvent, ResourceType } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { StoredRow } from './make-row.ts';

/** What discovery must show before it has caught up with a definition that came, changed or went. */
interface Expectation {
  readonly group: string;
  /** Any resource of the group version, where there is none. */
  readonly plural: string | undefined;
  /** All that are served; any will do where it is not said which. */
  readonly versions: readonly string[];
  readonly served: boolean;
}

/** Watches the objects that define kinds, and says when and how long to ask the cluster for its kinds again. */
export class ServedKinds {
  readonly #digests = new Map<string, string>();
  readonly #expectations = new Map<string, Expectation>();
  /** The versions that definitions in force serve. */
  readonly #defined = new Map<string, readonly string[]>();

  /** Takes in what happened to a definition. Returns whether the cluster may serve other kinds now. */
  note({ kind }: ResourceType, event: ReflectorEvent<StoredRow>): boolean {
    if (event.type === 'synced') return false;
    const id = `${kind}/${event.row.name}`;
    const isGone = event.type === 'removed';
    const object = event.object;
    const definition = kind === 'APIService' ? readApiService(object) : readCustomResource(object);
    const digest = isGone ? undefined : definition?.digest;
    if (digest === this.#digests.get(id)) return false;
    if (digest === undefined) this.#digests.delete(id);
    else this.#digests.set(id, digest);
    const served = definition?.expectation.served === true && !isGone;
    if (definition !== undefined && served && kind !== 'APIService') this.#defined.set(id, definition.expectation.versions);
    else this.#defined.delete(id);
    // A server that does not answer may be shown or not; only what is there or gone for good is waited for.
    if (definition !== undefined && (served || isGone)) this.#expectations.set(id, { ...definition.expectation, served });
    else this.#expectations.delete(id);
    return true;
  }

  /** Drops what discovery shows; true where it has caught up with everything. */
  isFulfilled({ resources }: Discovery): boolean {
    for (const [id, expectation] of this.#expectations) if (isMet(expectation, resources)) this.#expectations.delete(id);
    return this.#expectations.size === 0;
  }

  /** Whether a definition of objects is still waited for. An API service that is in force may well have no resources. */
  get isDefinitionOpen(): boolean {
    return [...this.#expectations.keys()].some((id) => id.startsWith('CustomResourceDefinition/'));
  }

  /** Whether a definition that is in force says that a resource is served, whatever discovery shows. */
  isDefined({ group, version, plural }: ResourceType): boolean {
    return this.#defined.get(`CustomResourceDefinition/${plural}.${group}`)?.includes(version) === true;
  }

  /** Enough is enough: the cluster does not serve what a definition promises. */
  giveUp(): void {
    this.#expectations.clear();
  }
}

function isMet({ group, plural, versions, served }: Expectation, resources: readonly ResourceType[]): boolean {
  const found = resources.filter((one) => one.group === group && (plural === undefined || one.plural === plural));
  const shown = new Set(found.map(({ version }) => version));
  const isShown = shown.size > 0;
  if (versions.length === 0) return isShown === served;
  return served ? versions.every((version) => shown.has(version)) : !versions.some((version) => shown.has(version));
}

type Definition = { readonly digest: string; readonly expectation: Expectation };

function readCustomResource(object: KubeObject | undefined): Definition | undefined {
  const spec = object?.['spec'];
  if (object === undefined || !isJsonObject(spec) || !isJsonObject(spec['names'])) return undefined;
  const served = hasCondition(object, 'Established') && object.metadata.deletionTimestamp === undefined;
  return {
    digest: `${object.metadata.uid}/${object.metadata.generation}/${served}`,
    expectation: { group: text(spec['group']), plural: text(spec['names']['plural']), versions: servedVersions(spec['versions']), served },
  };
}

/** Those without a service are made by the API server for what it serves itself, and tell nothing new. */
function readApiService(object: KubeObject | undefined): Definition | undefined {
  const spec = object?.['spec'];
  if (object === undefined || !isJsonObject(spec) || !isJsonObject(spec['service'])) return undefined;
  const served = hasCondition(object, 'Available');
  return {
    digest: `${object.metadata.uid}/${served}`,
    expectation: { group: text(spec['group']), plural: undefined, versions: [text(spec['version'])], served },
  };
}

function servedVersions(versions: JsonValue | undefined): readonly string[] {
  if (!isJsonArray(versions)) return [];
  return versions.flatMap((one) => (isJsonObject(one) && one['served'] === true ? [text(one['name'])] : []));
}

function hasCondition(object: KubeObject, type: string): boolean {
  const conditions = isJsonObject(object['status']) ? object['status']['conditions'] : undefined;
  if (!isJsonArray(conditions)) return false;
  return conditions.some((one) => isJsonObject(one) && one['type'] === type && one['status'] === 'True');
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
