/** Something that can stand in one list at a time. Only the list touches its links. */
export interface Linked<Item> {
  previousInList: Item | undefined;
  nextInList: Item | undefined;
}

/**
 * Items in order of arrival. They carry the links themselves, so that coming and going thousands of times a second makes no
 * garbage, as it does in a Set.
 */
export class LinkedList<Item extends Linked<Item>> {
  #first: Item | undefined;
  #last: Item | undefined;

  /** What has been there longest. */
  get first(): Item | undefined {
    return this.#first;
  }

  /** The item must not be in a list. */
  add(item: Item): void {
    item.previousInList = this.#last;
    if (this.#last === undefined) this.#first = item;
    else this.#last.nextInList = item;
    this.#last = item;
  }

  /** Nothing happens when the item is not in the list. Returns whether it was. */
  delete(item: Item): boolean {
    const { previousInList: previous, nextInList: next } = item;
    if (previous === undefined && this.#first !== item) return false;
    if (previous === undefined) this.#first = next;
    else previous.nextInList = next;
    if (next === undefined) this.#last = previous;
    else next.previousInList = previous;
    item.previousInList = undefined;
    item.nextInList = undefined;
    return true;
  }

  /** Calls `visit` for each item that is there now; it may take out the item that it is called for. */
  forEach(visit: (item: Item) => void): void {
    let item = this.#first;
    while (item !== undefined) {
      const next: Item | undefined = item.nextInList;
      visit(item);
      item = next;
    }
  }
}
