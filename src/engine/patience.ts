import { LruMap } from '../base/index.ts';

/** How often in a row something may go past its limits before it is hardly tried any more. */
const IN_ROW_MAX = 3;
const TRIED_EVERY = 100;
const PLACES_MAX = 1_000;
/** The same for a rule that has not been followed to its end for any object yet: in ten namespaces. */
const UNPROVEN_MAX = 10 * IN_ROW_MAX;

/**
 * With a rule that users wrote. One that goes past its limits for one object will for the next, and each time holds everybody up until it is
 * stopped; so after a few times it is tried only once in a while.
 */
export class Patience {
  readonly #inRowMax: number;
  #inRow = 0;
  #calls = 0;

  constructor(inRowMax = IN_ROW_MAX) {
    this.#inRowMax = inRowMax;
  }

  /** Whether it is worth trying now. */
  mayTry(): boolean {
    if (this.#inRow < this.#inRowMax) return true;
    this.#calls += 1;
    return this.#calls % TRIED_EVERY === 0;
  }

  note(wentTooFar: boolean): void {
    this.#inRow = wentTooFar ? this.#inRow + 1 : 0;
  }
}

/**
 * Apart for each namespace: what goes too far with the objects of one tenant must not take the rule from the others. One that goes too far
 * with those of all is not tried anew in each of a thousand namespaces.
 */
export class PatienceByNamespace {
  readonly #known = new LruMap<string, Pick<Patience, 'mayTry' | 'note'>>(PLACES_MAX);
  readonly #unproven = new Patience(UNPROVEN_MAX);
  #isProven = false;

  in(namespace: string): Pick<Patience, 'mayTry' | 'note'> {
    let known = this.#known.get(namespace);
    if (known !== undefined) return known;
    const own = new Patience();
    known = {
      mayTry: () => (this.#isProven || this.#unproven.mayTry()) && own.mayTry(),
      note: (wentTooFar) => {
        own.note(wentTooFar);
        this.#unproven.note(wentTooFar);
        this.#isProven ||= !wentTooFar;
      },
    };
    this.#known.set(namespace, known);
    return known;
  }
}
