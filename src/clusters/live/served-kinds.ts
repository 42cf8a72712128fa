import type { Discovery, ReflectorEvent, ResourceType } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { StoredRow } from './make-row.ts';

/** What discovery must show before it has caught up with a definition that came, changed or went. */
interface Expectation {
  readonly group: string;
  /** Any resource of the group version, where there is none. */
  readonly plural: string | undefined;
  readonly version: string | undefined;
  readonly served: boolean;
}

/** Watches the objects that define kinds, and says when and how long to ask the cluster for its kinds again. */
export class ServedKinds {
  readonly #digests = new Map<string, string>();
  readonly #expectations = new Map<string, Expectation>();

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
    // A server that does not answer may be shown or not; only what is there or gone for good is waited for.
    if (definition !== undefined && (served || isGone)) this.#expectations.set(id, { ...definition.expectation, served });
    else this.#expectations.delete(id);
    return true;
  }

  /** Drops what discovery shows; true where it has caught up with everything. */
  isFulfilled({ resources }: Discovery): boolean {
    for (const [id, { group, plural, version, served }] of this.#expectations) {
      const isServed = resources.some(
        (one) =>
          one.group === group && (plural === undefined || one.plural === plural) && (version === undefined || one.version === version),
      );
      if (isServed === served) this.#expectations.delete(id);
    }
    return this.#expectations.size === 0;
  }

  /** Enough is enough: the cluster does not serve what a definition promises. */
  giveUp(): void {
    this.#expectations.clear();
  }
}

type Definition = { readonly digest: string; readonly expectation: Expectation };

function readCustomResource(object: KubeObject | undefined): Definition | undefined {
  const spec = object?.['spec'];
  if (object === undefined || !isJsonObject(spec) || !isJsonObject(spec['names'])) return undefined;
  const served = hasCondition(object, 'Established') && object.metadata.deletionTimestamp === undefined;
  return {
    digest: `${object.metadata.uid}/${object.metadata.generation}/${served}`,
    expectation: { group: text(spec['group']), plural: text(spec['names']['plural']), version: undefined, served },
  };
}

/** Those without a service are made by the API server for what it serves itself, and tell nothing new. */
function readApiService(object: KubeObject | undefined): Definition | undefined {
  const spec = object?.['spec'];
  if (object === undefined || !isJsonObject(spec) || !isJsonObject(spec['service'])) return undefined;
  const served = hasCondition(object, 'Available');
  return {
    digest: `${object.metadata.uid}/${served}`,
    expectation: { group: text(spec['group']), plural: undefined, version: text(spec['version']), served },
  };
}

function hasCondition(object: KubeObject, type: string): boolean {
  const conditions = isJsonObject(object['status']) ? object['status']['conditions'] : undefined;
  if (!isJsonArray(conditions)) return false;
  return conditions.some((one) => isJsonObject(one) && one['type'] === type && one['status'] === 'True');
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
