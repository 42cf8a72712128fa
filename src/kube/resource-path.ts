import { ApiError, Code } from '../base/index.ts';
import { formatApiVersion, validatePathSegment } from '../objects/index.ts';
import type { ResourceType } from './kube-api.ts';

export interface ResourcePlace {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The path of a collection, an object or a subresource. A name cannot lead anywhere else than to its own place. */
export function resourcePath(type: ResourceType, { namespace, name, subresource }: ResourcePlace): string {
  const root = type.group === '' ? '/api' : '/apis';
  const parts = [root, ...formatApiVersion(type).split('/').map(segment)];
  if (type.namespaced && namespace !== undefined) parts.push('namespaces', segment(namespace));
  if (type.namespaced && namespace === undefined && name !== undefined) {
    throw new ApiError(Code.InvalidArgument, `${type.kind} ${name}: an object of this kind is in a namespace, and none is given`);
  }
  parts.push(segment(type.plural));
  if (name !== undefined) parts.push(segment(name));
  // A subresource may have parts of its own, as `proxy/metrics` does.
  if (subresource !== undefined) parts.push(...subresource.split('/').map(segment));
  return parts.join('/');
}

export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== false) parameters.append(name, String(value));
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

function segment(text: string): string {
  const problem = text === '' ? 'must not be empty' : validatePathSegment(text)[0];
  if (problem !== undefined) throw new ApiError(Code.InvalidArgument, `${JSON.stringify(text)} cannot be part of a path: ${problem}`);
  return encodeURIComponent(text);
}
