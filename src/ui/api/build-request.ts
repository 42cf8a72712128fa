import { isRecord } from './call-error.ts';

export interface BuiltRequest {
  readonly verb: string;
  /** With the query. */
  readonly address: string;
  readonly body: string | undefined;
}

/** Turns a call into an HTTP request: what the path names goes there, then the body takes its part, and the rest is the query. */
export function buildRequest(route: string, request: object, fields?: string): BuiltRequest {
  const [verb = 'GET', template = '', body] = route.replace(/^STREAM /, '').split(' ');
  const left: Record<string, unknown> = { ...request };
  const path = template.replaceAll(/\{([^}=]+)(=\*\*)?\}/g, (_whole, name: string, deep: string | undefined) => {
    const value = readPath(left, name);
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    if (!name.includes('.')) delete left[name];
    return deep === undefined ? encodeURIComponent(text) : text.split('/').map(encodeURIComponent).join('/');
  });
  // Where the path took what the contract would have in the body, the rest goes there: what somebody typed into a form is not for addresses.
  const takesAll = body === '*' || (body !== undefined && !Object.hasOwn(left, body));
  let sent: unknown = takesAll ? left : undefined;
  if (!takesAll && body !== undefined) {
    sent = left[body];
    delete left[body];
  }
  const query = new URLSearchParams();
  if (!takesAll) for (const [name, value] of Object.entries(left)) appendValue(query, name, value);
  if (fields !== undefined) query.set('fields', fields);
  const text = query.toString();
  return { verb, address: text === '' ? path : `${path}?${text}`, body: body === undefined ? undefined : JSON.stringify(sent ?? {}) };
}

function readPath(value: unknown, name: string): unknown {
  return name.split('.').reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), value);
}

function appendValue(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null || value === '') return;
  if (Array.isArray(value)) for (const item of value) appendValue(query, name, item);
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) appendValue(query, `${name}.${key}`, item);
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') query.append(name, String(value));
}
