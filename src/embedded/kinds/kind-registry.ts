import { formatApiVersion } from '../../objects/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import type { Store } from '../storage/store.ts';
import type { Kind, KindDefinition } from './kind.ts';

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The kinds that the API serves. Kinds can come and go while it runs; objects of a kind that is gone stay in the store. */
export class KindRegistry {
  readonly #store: Store;
  readonly #kinds = new Map<string, Kind>();
  readonly #byKind = new Map<string, Kind>();
  readonly #resourceIds = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  constructor(store: Store) {
    this.#store = store;
    for (const row of store.statements.readResources.all())
      this.#resourceIds.set(resourceName(String(row['api_group']), String(row['plural'])), Number(row['id']));
  }

  /** Adds a kind, or replaces the one of the same group, version and plural. */
  register(definition: KindDefinition): Kind {
    const kind = this.resolve(definition);
    this.#kinds.set(kindName(kind.type), kind);
    this.#byKind.set(`${kind.apiVersion}/${kind.type.kind}`, kind);
    this.#notify();
    return kind;
  }

  /** The kind of a definition, with the place of its objects; it is served only where it is registered. */
  resolve(definition: KindDefinition): Kind {
    const { type, subresources = [], verbs = ALL_VERBS, rules = {} } = definition;
    const storage = definition.storage ?? { group: type.group, plural: type.plural, version: type.version };
    return {
      ...definition,
      rules,
      storage,
      verbs,
      subresources,
      resource: this.#resourceId(storage.group, storage.plural),
      apiVersion: formatApiVersion(type),
      hasStatus: subresources.includes('status'),
    };
  }

  unregister(type: Pick<ResourceType, 'group' | 'version' | 'plural'>): void {
    const kind = this.find(type);
    if (kind === undefined) return;
    this.#kinds.delete(kindName(type));
    this.#byKind.delete(`${kind.apiVersion}/${kind.type.kind}`);
    this.#notify();
  }

  find(type: Pick<ResourceType, 'group' | 'version' | 'plural'>): Kind | undefined {
    return this.#kinds.get(kindName(type));
  }

  findByKind(apiVersion: string, kind: string): Kind | undefined {
    return this.#byKind.get(`${apiVersion}/${kind}`);
  }

  /** A kind through which the objects of a stored resource can be reached, in the form in which they are stored where there is one. */
  findByResource(resource: number): Kind | undefined {
    const served = this.listByResource(resource);
    const isStoredForm = ({ type, storage }: Kind): boolean => type.group === storage.group && type.version === storage.version;
    return served.find(isStoredForm) ?? served[0];
  }

  /** All kinds that serve the objects of a stored resource: its versions. */
  listByResource(resource: number): readonly Kind[] {
    return this.list().filter((kind) => kind.resource === resource);
  }

  list(): readonly Kind[] {
    return [...this.#kinds.values()];
  }

  /** Called when a kind comes, changes or goes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #resourceId(group: string, plural: string): number {
    const name = resourceName(group, plural);
    const known = this.#resourceIds.get(name);
    if (known !== undefined) return known;
    // Not within a group of writes: were that to fail, the id would be gone and still in use.
    this.#store.flush();
    const id = Number(this.#store.statements.insertResource.get(group, plural)?.['id']);
    this.#resourceIds.set(name, id);
    return id;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function kindName({ group, version, plural }: Pick<ResourceType, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`;
}

function resourceName(group: string, plural: string): string {
  return `${group}/${plural}`;
}
