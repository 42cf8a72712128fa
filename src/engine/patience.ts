import { LruMap } from '../base/index.ts';

/** How often in a row something may go past its limits before it is hardly tried any more. */
const IN_ROW_MAX = 3;
const TRIED_EVERY = 100;
const PLACES_MAX = 1_000;
/** The same for a rule that has not been followed to its end for any object of a project yet: in ten namespaces. */
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

  /** Whether it is tried only once in a while. */
  get isOver(): boolean {
    return this.#inRow >= this.#inRowMax;
  }

  /** Whether it is worth trying now. */
  mayTry(): boolean {
    if (!this.isOver) return true;
    this.#calls += 1;
    return this.#calls % TRIED_EVERY === 0;
  }

  note(wentTooFar: boolean): void {
    this.#inRow = wentTooFar ? this.#inRow + 1 : 0;
  }
}

/** What is known of a rule in all namespaces of a project. */
interface ProjectPatience {
  readonly unproven: Patience;
  isProven: boolean;
}

/**
 * Apart for each namespace: what goes too far with the objects of one tenant must not take the rule from the others. One that goes too far
 * with those of all is not tried anew in each of a thousand namespaces. Apart for each project, too, where one is known: whoever writes
 * manifests may name any namespace in them.
 */
export class PatienceByNamespace {
  readonly #known = new LruMap<string, Pick<Patience, 'mayTry' | 'note'>>(PLACES_MAX);
  readonly #projects = new LruMap<string, ProjectPatience>(PLACES_MAX);

  in(namespace: string, project = ''): Pick<Patience, 'mayTry' | 'note'> {
    const key = `${project}/${namespace}`;
    let known = this.#known.get(key);
    if (known !== undefined) return known;
    const all = this.#inAllOf(project);
    const own = new Patience();
    known = {
      mayTry: () => (all.isProven || all.unproven.mayTry()) && own.mayTry(),
      note: (wentTooFar) => {
        // What is tried once in a while says nothing more of the other namespaces.
        if (!wentTooFar || !own.isOver) all.unproven.note(wentTooFar);
        own.note(wentTooFar);
        all.isProven ||= !wentTooFar;
      },
    };
    this.#known.set(key, known);
    return known;
  }

  #inAllOf(project: string): ProjectPatience {
    let known = this.#projects.get(project);
    if (known === undefined) this.#projects.set(project, (known = { unproven: new Patience(UNPROVEN_MAX), isProven: false }));
    return known;
  }
}
