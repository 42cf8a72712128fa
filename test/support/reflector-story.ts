import { ApiError, Code, createLogger } from '../../src/base/index.ts';
import {
  createReflector,
  type Discovery,
  type ListOptions,
  type ObjectList,
  type ReflectorEvent,
  type ReflectorOptions,
} from '../../src/kube/index.ts';
import { statusError, type KubeObject } from '../../src/objects/index.ts';
import { ManualTimers } from './manual-timers.ts';
import { kinds } from './kinds.ts';
import { ScriptedWatch, scriptedKubeApi, scriptedList, scriptedObject } from './scripted-kube-api.ts';

const nothingServed: Discovery = { resources: [], failures: [] };
export const connectionLost = (): Error => new ApiError(Code.Unavailable, 'the connection was lost');
export const expired = (): Error => statusError('Expired', 'too old resource version');

/** What an API answers, and what its reader does. */
interface Story {
  list?: (options: ListOptions, call: number) => ObjectList | Promise<ObjectList>;
  discover?: () => Promise<Discovery>;
  onWatch?: (watch: ScriptedWatch) => void;
  onEvent?: ReflectorOptions<string>['onEvent'];
  keep?: (object: KubeObject) => string;
  limits?: ReflectorOptions<string>['limits'];
}

/** A reflector against an API that does as the story says, under a clock that stands still; chance always draws nothing. */
export function tellStory(story: Story) {
  const timers = new ManualTimers();
  const events: string[] = [];
  const lists: ListOptions[] = [];
  const watches: ScriptedWatch[] = [];
  const logged: string[] = [];
  const api = scriptedKubeApi({
    async list(options) {
      lists.push(options);
      return await (story.list ?? (() => scriptedList('10', [scriptedObject('a', '1')])))(options, lists.length);
    },
    watch(options) {
      const watch = new ScriptedWatch(options);
      watches.push(watch);
      story.onWatch?.(watch);
      return watch;
    },
    discover: story.discover ?? (() => Promise.resolve(nothingServed)),
  });
  const record = (event: ReflectorEvent<string>): void => {
    events.push(event.type === 'synced' ? 'synced' : `${event.type} ${event.key}=${event.row}`);
  };
  const reflector = createReflector<string>({
    api,
    type: kinds.configMap,
    keep: story.keep ?? ((object) => object.metadata.resourceVersion ?? ''),
    onEvent: story.onEvent ?? record,
    log: createLogger({ level: 'info', format: 'text', write: (line) => logged.push(line.replace(/^\S+ /, '')) }),
    timers,
    clock: timers,
    random: () => 0,
    ...(story.limits && { limits: story.limits }),
  });
  reflector.start();
  const watch = (): ScriptedWatch => {
    const last = watches.at(-1);
    if (!last) throw new Error('nothing is watched');
    return last;
  };
  return { reflector, timers, events, lists, watches, logged, watch };
}
