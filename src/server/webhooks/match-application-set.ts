import { isJsonObject, type JsonObject, type JsonValue } from '../../objects/index.ts';
import { matchRepository } from './match-repository.ts';
import type { PullRequestEvent, PushEvent, WebhookEvent } from './webhook-event.ts';

/** Generators are nested twice; deeper is no generator. */
const depthMax = 4;

/** Makes a test whether a set, by its `spec.generators`, may yield something else after this event. */
export function createApplicationSetMatcher(event: WebhookEvent): (generators: JsonValue | undefined) => boolean {
  if (event.type === 'package') return () => false;
  const matches = event.type === 'push' ? matchGit(event) : matchPullRequest(event);
  return (generators) => anyGenerator(generators, matches, 0);
}

function anyGenerator(generators: JsonValue | undefined, matches: (generator: JsonObject) => boolean, depth: number): boolean {
  if (!Array.isArray(generators) || depth > depthMax) return false;
  return generators.some((generator: JsonValue) => {
    if (!isJsonObject(generator)) return false;
    // Nobody knows what a plugin asks.
    if (isJsonObject(generator['plugin']) || matches(generator)) return true;
    return [generator['matrix'], generator['merge']].some(
      (nested) => isJsonObject(nested) && anyGenerator(nested['generators'], matches, depth + 1),
    );
  });
}

/**
 * Whether a field has the value. In a matrix it may be a template that only the first generator's parameters fill: then it may have any
 * value, and a refresh too many costs little.
 */
function fits(field: JsonValue | undefined, test: (text: string) => boolean): boolean {
  const text = typeof field === 'string' ? field : '';
  return text.includes('{{') || test(text);
}

function matchGit({ repositories, revision, touchesHead }: PushEvent): (generator: JsonObject) => boolean {
  const isNamed = matchRepository(repositories);
  const isMoved = (target: string): boolean =>
    target === '' || target === 'HEAD' ? touchesHead : target.replace(/^refs\/(?:heads|tags)\//, '') === revision;
  return ({ git }) => isJsonObject(git) && fits(git['repoURL'], isNamed) && fits(git['revision'], isMoved);
}

function matchPullRequest(event: PullRequestEvent): (generator: JsonObject) => boolean {
  return ({ pullRequest }) => isJsonObject(pullRequest) && isRequestOf(pullRequest, event);
}

function isRequestOf(pullRequest: JsonObject, event: PullRequestEvent): boolean {
  const block = pullRequest[event.provider];
  if (!isJsonObject(block)) return false;
  const is = (name: string, expected: string): boolean => fits(block[name], (text) => text.toLowerCase() === expected.toLowerCase());
  switch (event.provider) {
    case 'github': {
      const isAsked = (api: string): boolean => hostOf(api || 'https://api.github.com/') === event.apiHost.toLowerCase();
      return is('owner', event.owner) && is('repo', event.repository) && fits(block['api'], isAsked);
    }
    case 'gitlab': {
      const isAsked = (api: string): boolean => hostOf(api || 'https://gitlab.com/').replace(/:\d+$/, '') === event.host.toLowerCase();
      return event.projects.some((project) => is('project', project)) && fits(block['api'], isAsked);
    }
    case 'gitea': {
      const isAsked = (api: string): boolean => hostOf(api) === event.host.toLowerCase();
      return is('owner', event.owner) && is('repo', event.repository) && fits(block['api'], isAsked);
    }
    case 'bitbucket':
      return is('owner', event.owner) && is('repo', event.repository);
    case 'azuredevops':
    case 'bitbucketServer':
      return is('project', event.project) && is('repo', event.repository);
  }
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host.toLowerCase() : '';
}
