/** As much of a browser as signing in takes: it follows redirects and keeps the cookies of each place. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export class Browser {
  /** By origin, then by name. Browsers do not tell ports apart, but our servers share one host. */
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Goes to an address and on to where it leads, but no further than `until` says. */
  async open(
    address: string,
    options: { readonly until?: (url: URL) => boolean; readonly headers?: Record<string, string> } = {},
  ): Promise<Page> {
    let url = new URL(address);
    for (let steps = 0; steps < 12; steps += 1) {
      const answer = await fetch(url, { redirect: 'manual', headers: { ...options.headers, cookie: this.cookieHeader(url.origin) } });
      this.#keep(url.origin, answer.headers.getSetCookie());
      const location = answer.headers.get('location');
      const page = { url: url.href, status: answer.status, headers: answer.headers, text: await answer.text() };
      if (location === null) return page;
      url = new URL(location, url);
      if (options.until?.(url) === true) return { ...page, url: url.href };
    }
    throw new Error(`there is no end of redirects from ${address}`);
  }

  cookie(origin: string, name: string): string | undefined {
    return this.#cookies.get(origin)?.get(name);
  }

  setCookie(origin: string, name: string, value: string): void {
    this.#keep(origin, [`${name}=${value}`]);
  }

  cookieHeader(origin: string): string {
    return [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(origin: string, lines: readonly string[]): void {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
  }
}
