import type { Page, PageRequest } from './read-page.ts';

/**
 * The page that was read last. Where many clients start at once they ask for the same one, and what it shows at a version never changes.
 * It is forgotten with the next write, and one that is large is not kept at all.
 */
export class LastPage {
  readonly #charactersMax: number;
  #id: string | undefined;
  #page: Page | undefined;

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  recall(request: PageRequest): Page | undefined {
    return this.#page !== undefined && this.#id === idOf(request) ? this.#page : undefined;
  }

  /** `characters`: of the texts that it holds. Gives the page back. */
  remember(request: PageRequest, page: Page, characters: number): Page {
    if (characters <= this.#charactersMax) {
      this.#id = idOf(request);
      this.#page = page;
    }
    return page;
  }

  forget(): void {
    this.#id = undefined;
    this.#page = undefined;
  }
}

/** What stands before the text has no slash in it, and no namespace is called `*`. */
function idOf({ resource, namespace = '*', after, limit, version, labelText = '' }: PageRequest): string {
  return `${version}/${resource}/${namespace}/${after.namespace}/${after.name}/${limit}/${labelText}`;
}
