/** How many objects each resource has in each namespace. Counting them in the database would take as long as reading them. */
export class ObjectCounts {
  readonly #counts = new Map<number, Map<string, number>>();

  add(resource: number, namespace: string, difference: number): void {
    const namespaces = this.#counts.get(resource) ?? new Map<string, number>();
    this.#counts.set(resource, namespaces);
    const count = (namespaces.get(namespace) ?? 0) + difference;
    if (count === 0) namespaces.delete(namespace);
    else namespaces.set(namespace, count);
  }

  /** In all namespaces when none is given. */
  count(resource: number, namespace: string | undefined): number {
    const namespaces = this.#counts.get(resource);
    if (namespaces === undefined) return 0;
    if (namespace !== undefined) return namespaces.get(namespace) ?? 0;
    let sum = 0;
    for (const count of namespaces.values()) sum += count;
    return sum;
  }

  /** The resources that have objects in a namespace. */
  resourcesIn(namespace: string): readonly number[] {
    return [...this.#counts].filter(([, namespaces]) => namespaces.has(namespace)).map(([resource]) => resource);
  }

  /** The namespaces in which a resource has objects. */
  namespacesOf(resource: number): readonly string[] {
    return [...(this.#counts.get(resource)?.keys() ?? [])];
  }

  clear(): void {
    this.#counts.clear();
  }
}
