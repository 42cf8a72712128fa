import type { Fairway } from './fairway.ts';

export interface RestAnswer {
  readonly status: number;
  /** The whole body, as it came. */
  readonly text: string;
  /** The body where it is JSON, otherwise an empty object. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Somebody who calls the REST API with a token. */
export type RestCaller = (verb: string, path: string, body?: unknown) => Promise<RestAnswer>;

export function callerWith({ url }: Pick<Fairway, 'url'>, token: string): RestCaller {
  return async (verb, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: verb,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = text.startsWith('{') && !text.includes('}\n{');
    return { status: answer.status, text, json: isJson ? (JSON.parse(text) as RestAnswer['json']) : {} };
  };
}

export async function signInAsAdmin(fairway: Pick<Fairway, 'url' | 'adminPassword'>): Promise<RestCaller> {
  const { json } = await callerWith(fairway, '')('POST', '/api/v1/session', { username: 'admin', password: fairway.adminPassword });
  return callerWith(fairway, String(json['token']));
}
