import { ApiError, Code, LruMap } from '../../../base/index.ts';
import type { HttpBinding, HttpVerb } from '../../../contract/index.ts';
import type { Method } from '../core/method-table.ts';
import { decodeSegment, readUrlValue } from './path-value.ts';

/** One HTTP binding of a method, ready for matching. */
export interface Route {
  readonly method: Method;
  readonly binding: HttpBinding;
  /** Of the path's variables, in order. */
  readonly variables: readonly string[];
}

export interface RouteMatch {
  readonly route: Route;
  /** Decoded values of the path's variables: dotted field name and value. */
  readonly values: readonly (readonly [field: string, value: string])[];
}

export interface RouteTable {
  /** The match, or the verbs that the path knows (none: it is not a path of ours). Throws for malformed encoding. */
  match(verb: string, path: string): RouteMatch | readonly HttpVerb[];
}

/** The paths that were asked for last are not looked up again: clients ask for the same few over and over. */
const RECENT_MAX = 1_024;
const RECENT_LENGTH_MAX = 256;

const HTTP_VERBS: readonly HttpVerb[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Fields that hold the URL of a repository or a cluster. A proxy may have decoded the slashes in it. */
const URL_FIELDS: ReadonlySet<string> = new Set(['repo', 'repo.repo', 'source.repoURL', 'id.value', 'url', 'creds.url']);

interface Node {
  readonly literals: Map<string, Node>;
  variable: Node | undefined;
  /** Routes that end here, by verb; the first one registered wins. */
  readonly routes: Map<HttpVerb, Route>;
  /** Routes whose last variable takes the rest of the path. */
  readonly tails: Map<HttpVerb, Route>;
}

/** A route with one URL variable between literal segments. */
interface UrlRoute {
  readonly route: Route;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export function createRouteTable(methods: readonly Method[]): RouteTable {
  const root = createNode();
  const urlRoutes: UrlRoute[] = [];
  for (const method of methods) for (const binding of method.schema.http) addRoute(root, urlRoutes, method, binding);
  // A longer literal ending is more specific: `…/{repo}/refs` before `…/{repo}`.
  urlRoutes.sort((a, b) => b.after.length - a.after.length);
  const recent = new Map(HTTP_VERBS.map((verb) => [verb as string, new LruMap<string, RouteMatch>(RECENT_MAX)]));
  return {
    match(verb, path) {
      const known = recent.get(verb)?.get(path);
      if (known !== undefined) return known;
      const match = lookUp(verb, path);
      if ('route' in match && path.length <= RECENT_LENGTH_MAX) recent.get(verb)?.set(path, match);
      return match;
    },
  };

  function lookUp(verb: string, path: string): RouteMatch | readonly HttpVerb[] {
    if (!path.startsWith('/')) return [];
    const segments = path.slice(1).split('/');
    if (segments.some(isDotSegment)) return [];
    const match = find(root, segments, 0, [], verb as HttpVerb);
    if (match !== undefined) return match;
    const found = new Map<HttpVerb, RouteMatch>();
    for (const other of HTTP_VERBS) addMatch(found, other, find(root, segments, 0, [], other));
    if (found.size === 0) collectUrls(urlRoutes, segments, found);
    return found.get(verb as HttpVerb) ?? [...found.keys()];
  }
}

function createNode(): Node {
  return { literals: new Map(), variable: undefined, routes: new Map(), tails: new Map() };
}

function addRoute(root: Node, urlRoutes: UrlRoute[], method: Method, binding: HttpBinding): void {
  const segments = binding.path.split('/').slice(1);
  const variables = segments.filter((segment) => segment.startsWith('{')).map((segment) => segment.slice(1, -1).replace('=**', ''));
  const route: Route = { method, binding, variables };
  let node = root;
  for (const segment of segments) {
    if (segment.endsWith('=**}')) {
      if (!node.tails.has(binding.verb)) node.tails.set(binding.verb, route);
      return;
    }
    if (segment.startsWith('{')) {
      node = node.variable ??= createNode();
    } else {
      let child = node.literals.get(segment);
      if (child === undefined) node.literals.set(segment, (child = createNode()));
      node = child;
    }
  }
  if (!node.routes.has(binding.verb)) node.routes.set(binding.verb, route);
  if (variables.length === 1 && URL_FIELDS.has(variables[0]!)) {
    const at = segments.findIndex((segment) => segment.startsWith('{'));
    urlRoutes.push({ route, before: segments.slice(0, at), after: segments.slice(at + 1) });
  }
}

/** Finds the best route for a verb: literal segments before variables, those before tails. `values` is as it was when nothing is found. */
function find(node: Node, segments: readonly string[], at: number, values: string[], verb: HttpVerb): RouteMatch | undefined {
  const segment = segments[at];
  let match: RouteMatch | undefined;
  if (segment === undefined) {
    const route = node.routes.get(verb);
    if (route !== undefined) return createMatch(route, values, decodeValue);
  } else {
    const literal = node.literals.get(segment);
    if (literal !== undefined) match = find(literal, segments, at + 1, values, verb);
    if (match === undefined && node.variable !== undefined && segment !== '') {
      values.push(segment);
      match = find(node.variable, segments, at + 1, values, verb);
      if (match === undefined) values.pop();
    }
  }
  if (match !== undefined) return match;
  const tail = node.tails.get(verb);
  return tail && createMatch(tail, [...values, segments.slice(at).join('/')], (_field, value) => decodeSegment(value));
}

/** Recognises a URL that takes several segments because a proxy has decoded it on the way. */
function collectUrls(urlRoutes: readonly UrlRoute[], segments: readonly string[], found: Map<HttpVerb, RouteMatch>): void {
  for (const { route, before, after } of urlRoutes) {
    const end = segments.length - after.length;
    if (end <= before.length || !before.every((literal, index) => literal === segments[index])) continue;
    if (!after.every((literal, index) => literal === segments[end + index])) continue;
    const value = readUrlValue(segments.slice(before.length, end).join('/'));
    if (value !== undefined)
      addMatch(
        found,
        route.binding.verb,
        createMatch(route, [value], () => value),
      );
  }
}

function addMatch(found: Map<HttpVerb, RouteMatch>, verb: HttpVerb, match: RouteMatch | undefined): void {
  if (match !== undefined && !found.has(verb)) found.set(verb, match);
}

function createMatch(route: Route, values: readonly string[], decode: (field: string, value: string) => string): RouteMatch {
  return {
    route,
    values: values.map((value, index) => {
      const field = route.variables[index]!;
      return [field, decode(field, value)] as const;
    }),
  };
}

function decodeValue(field: string, raw: string): string {
  return (URL_FIELDS.has(field) && readUrlValue(raw)) || decodeSegment(raw);
}

/** `.` and `..`, also encoded: they mean another path to whoever normalises them, so they mean nothing here. */
function isDotSegment(segment: string): boolean {
  return (segment.startsWith('.') || segment.startsWith('%')) && segment.length <= 6 && /^(?:\.|%2e){1,2}$/i.test(segment);
}

export function unknownRoute(path: string): ApiError {
  return new ApiError(Code.NotFound, `there is no ${path.slice(0, 200)}`);
}
