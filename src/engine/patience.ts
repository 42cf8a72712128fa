import { LruMap } from '../base/index.ts';

/** How often in a row something may go past its limits before it is hardly tried any more. */
const IN_ROW_MAX = 3;
const TRIED_EVERY = 100;
const PLACES_MAX = 1_000;

/**
 * With a rule that users wrote. One that goes past its limits for one object will for the next, and each time holds everybody up until it is
 * stopped; so after a few times it is tried only once in a while.
 */
export class Patience {
  #inRow = 0;
  #calls = 0;

  /** Whether it is worth trying now. */
  mayTry(): boolean {
    if (this.#inRow < IN_ROW_MAX) return true;
    this.#calls += 1;
    return this.#calls % TRIED_EVERY === 0;
  }

  note(wentTooFar: boolean): void {
    this.#inRow = wentTooFar ? this.#inRow + 1 : 0;
  }
}

/** Apart for each namespace: what goes too far with the objects of one tenant must not take the rule from the others. */
export class PatienceByNamespace {
  readonly #known = new LruMap<string, Patience>(PLACES_MAX);

  in(namespace: string): Patience {
    const known = this.#known.get(namespace);
    if (known !== undefined) return known;
    const patience = new Patience();
    this.#known.set(namespace, patience);
    return patience;
  }
}
