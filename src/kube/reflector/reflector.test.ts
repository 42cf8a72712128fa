import { describe, expect, it } from 'vitest';
import { ApiError, Code, createLogger } from '../../base/index.ts';
import { statusError, type KubeObject } from '../../objects/index.ts';
import { ManualTimers, settle } from '../../../test/support/manual-timers.ts';
import { ScriptedWatch, scriptedKubeApi, scriptedList, scriptedObject } from '../../../test/support/scripted-kube-api.ts';
import type { Discovery, ListOptions, ObjectList } from '../kube-api.ts';
import type { ReflectorEvent, ReflectorOptions } from './reflector-options.ts';
import { createReflector } from './reflector.ts';

const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const nothingServed: Discovery = { resources: [], failures: [] };
const connectionLost = (): Error => new ApiError(Code.Unavailable, 'the connection was lost');
const expired = (): Error => statusError('Expired', 'too old resource version');

interface Story {
  list?: (options: ListOptions, call: number) => ObjectList | Promise<ObjectList>;
  discover?: () => Promise<Discovery>;
  onWatch?: (watch: ScriptedWatch) => void;
  onEvent?: ReflectorOptions<string>['onEvent'];
  keep?: (object: KubeObject) => string;
  limits?: ReflectorOptions<string>['limits'];
}

function tell(story: Story) {
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
    type: configMaps,
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

describe('A reflector', () => {
  it('lists in pages, then watches from the version of the list', async () => {
    const { reflector, events, lists, watch } = tell({
      list: ({ continue: token }) =>
        token === 'more' ? scriptedList('10', [scriptedObject('b', '2')]) : scriptedList('10', [scriptedObject('a', '1')], 'more'),
    });
    expect(await reflector.whenSynced()).toBe(true);
    await settle();
    expect(events).toEqual(['added one/a=1', 'added one/b=2', 'synced']);
    expect(lists.map((options) => [options.limit, options.continue])).toEqual([
      [500, undefined],
      [500, 'more'],
    ]);
    expect(watch().options).toMatchObject({ resourceVersion: '10', allowBookmarks: true, timeoutSeconds: 300 });
    expect(reflector.state.name).toBe('watching');
    await reflector.stop();
    expect(reflector.state.name).toBe('stopped');
    expect(watch().isOpen).toBe(false);
  });

  it('applies the events of the watch, and takes an event for what it does to the rows, not for its name', async () => {
    const { reflector, events, watch } = tell({});
    await settle();
    watch().send('MODIFIED', scriptedObject('new', '11'));
    watch().send('ADDED', scriptedObject('a', '12'));
    watch().send('ADDED', scriptedObject('a', '12'));
    watch().send('DELETED', scriptedObject('unknown', '13'));
    watch().send('DELETED', scriptedObject('a', '14'));
    await settle();
    expect(events.slice(2)).toEqual(['added one/new=11', 'changed one/a=12', 'removed one/a=12']);
    expect([...reflector.rows()]).toEqual([['one/new', '11']]);
    await reflector.stop();
  });

  it('resumes from the last version, of a bookmark too, after a break', async () => {
    const { reflector, lists, timers, watch, watches } = tell({});
    await settle();
    watch().send('MODIFIED', scriptedObject('a', '11'));
    watch().send('BOOKMARK', scriptedObject('', '17'));
    await settle();
    watch().fail(connectionLost());
    await settle();
    expect(reflector.state).toMatchObject({ name: 'waiting', cause: { reason: 'unreachable', message: 'the connection was lost' } });
    await timers.advance(500);
    expect(watches).toHaveLength(2);
    expect(watch().options.resourceVersion).toBe('17');
    expect(lists).toHaveLength(1);
    await timers.advance(10_000);
    expect(reflector.trouble).toBeDefined();
    watch().open();
    await timers.advance(999);
    expect(reflector.trouble).toBeDefined();
    await timers.advance(1);
    expect(reflector.trouble).toBeUndefined();
    await reflector.stop();
  });

  it('lists again when the version has expired, and tells what was missed', async () => {
    const lists = [
      scriptedList('10', [scriptedObject('kept', '1'), scriptedObject('edited', '2'), scriptedObject('deleted', '3')]),
      scriptedList('20', [scriptedObject('kept', '1'), scriptedObject('edited', '15'), scriptedObject('made', '16')]),
    ];
    const { reflector, events, timers, watch } = tell({ list: (_, call) => lists[call - 1] ?? scriptedList('', []) });
    await settle();
    watch().sendEvent({ type: 'ERROR', object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 } });
    await timers.advance(500);
    expect(events.slice(4)).toEqual(['changed one/edited=15', 'added one/made=16', 'removed one/deleted=3', 'synced']);
    expect(watch().options.resourceVersion).toBe('20');
    await reflector.stop();
  });

  it('begins a list once more when a page token expires, with larger pages, and then backs off', async () => {
    const { reflector, lists, timers, events } = tell({
      list: ({ continue: token }, call) => {
        if (token !== undefined) throw expired();
        return call < 5 ? scriptedList('10', [scriptedObject(`only-in-${call}`, '1')], 'more') : scriptedList('11', []);
      },
    });
    await settle();
    expect(lists.map(({ limit, continue: token }) => `${limit} ${token ?? ''}`)).toEqual(['500 ', '500 more', '2000 ', '2000 more']);
    expect(reflector.state).toMatchObject({ name: 'waiting', cause: { reason: 'expired' } });
    await timers.advance(500);
    expect(lists).toHaveLength(5);
    expect(reflector.size).toBe(0);
    expect(events.slice(-3)).toEqual(['removed one/only-in-1=1', 'removed one/only-in-3=1', 'synced']);
    await reflector.stop();
  });

  it('takes silence for failure, but not the time that its handler needs', async () => {
    const handling = Promise.withResolvers<void>();
    const { reflector, timers, watch, watches } = tell({
      onEvent: (event) => (event.type === 'changed' ? handling.promise : undefined),
      limits: { stallMs: 5000 },
    });
    await settle();
    watch().send('MODIFIED', scriptedObject('a', '11'));
    await timers.advance(60_000);
    expect(reflector.state.name).toBe('watching');
    handling.resolve();
    await timers.advance(4000);
    watch().send('BOOKMARK', scriptedObject('', '12'));
    await timers.advance(4000);
    expect(reflector.state.name).toBe('watching');
    await timers.advance(1000);
    expect(reflector.state).toMatchObject({ name: 'waiting', cause: { reason: 'stalled' } });
    expect(watch().isOpen).toBe(false);
    await timers.advance(500);
    expect(watches).toHaveLength(2);
    expect(watch().options.resourceVersion).toBe('12');
    await reflector.stop();
  });

  it.each([
    ['ends every watch at once', (watch: ScriptedWatch) => watch.end()],
    ['breaks every watch at once', (watch: ScriptedWatch) => watch.fail(connectionLost())],
    ['says 410 to every watch', (watch: ScriptedWatch) => watch.fail(expired())],
    ['says 500 to every watch', (watch: ScriptedWatch) => watch.fail(statusError('InternalError', 'broken'))],
  ])('does not spin against an API that %s', async (_, onWatch) => {
    const { reflector, timers, lists, watches } = tell({ onWatch });
    await timers.advance(60_000);
    // 0.5 + 1 + 2 + 4 + 8 + 16 + 30 seconds.
    expect(watches).toHaveLength(7);
    expect(lists.length).toBeLessThanOrEqual(7);
    await timers.advance(300_000);
    expect(watches).toHaveLength(17);
    await reflector.stop();
  });

  it('lists again when the API keeps refusing to go on from a version', async () => {
    const { reflector, timers, lists } = tell({
      onWatch: (watch) => watch.fail(statusError('InternalError', 'conversion webhook failed')),
    });
    await timers.advance(500 + 1000);
    expect(lists).toHaveLength(1);
    await timers.advance(2000);
    expect(lists).toHaveLength(2);
    await reflector.stop();
  });

  it.each([
    ['falls silent', () => undefined, 5000],
    [
      'asks for patience again and again',
      (watch: ScriptedWatch) => watch.fail(statusError('TooManyRequests', 'storage is (re)initializing')),
      1500,
    ],
  ])('asks by a list for the cause when a watch %s, and keeps to lists until they succeed', async (_, onWatch, afterMs) => {
    let broken = false;
    const { reflector, timers, lists, watches, events } = tell({
      onWatch,
      limits: { stallMs: 5000 },
      list: () => {
        if (broken) throw statusError('InternalError', 'conversion webhook failed');
        return scriptedList('10', [scriptedObject('a', '1')]);
      },
    });
    await settle();
    broken = true;
    await timers.advance(afterMs);
    expect(lists.at(-1)?.limit).toBe(1);
    expect(reflector.state).toMatchObject({ name: 'waiting', cause: { reason: 'refused', message: 'conversion webhook failed' } });
    const watched = watches.length;
    await timers.advance(60_000);
    expect(watches).toHaveLength(watched);
    expect(reflector.trouble?.message).toBe('conversion webhook failed');
    broken = false;
    await timers.advance(30_000);
    expect(watches.length).toBeGreaterThan(watched);
    expect(events.filter((event) => event !== 'synced')).toEqual(['added one/a=1']);
    await reflector.stop();
  });

  it('resumes a watch that fell silent where a list says that nothing is wrong', async () => {
    const { reflector, timers, lists, watch, watches } = tell({ limits: { stallMs: 5000 } });
    await timers.advance(5500);
    expect(lists.map(({ limit }) => limit)).toEqual([500, 1]);
    expect(watches).toHaveLength(2);
    expect(watch().options.resourceVersion).toBe('10');
    await reflector.stop();
  });

  it('forgets failures after a watch that lived, and goes on at once when that ends', async () => {
    let watchesBegun = 0;
    const { reflector, timers, watch, watches } = tell({ onWatch: (each) => (watchesBegun += 1) > 5 || each.end() });
    await timers.advance(500 + 1000 + 2000 + 4000 + 8000);
    expect(watches).toHaveLength(6);
    await timers.advance(60_000);
    watch().end();
    await settle();
    expect(watches).toHaveLength(7);
    watch().fail(connectionLost());
    await timers.advance(500);
    expect(watches).toHaveLength(8);
    await reflector.stop();
  });

  it('waits as long as the API asks, within reason', async () => {
    const { reflector, timers, lists } = tell({
      list: (_, call) => {
        throw statusError('TooManyRequests', 'later', { retryAfterSeconds: call === 1 ? 7 : 86_400 });
      },
    });
    await timers.advance(6999);
    expect(lists).toHaveLength(1);
    await timers.advance(1);
    expect(lists).toHaveLength(2);
    await timers.advance(60_000);
    expect(lists).toHaveLength(3);
    expect(reflector.state).toMatchObject({ name: 'waiting', cause: { reason: 'throttled', code: 429, message: 'later' } });
    await reflector.stop();
  });

  it.each([
    ['forbidden', statusError('Forbidden', 'configmaps is forbidden: User "x" cannot list')],
    ['unauthorized', statusError('Unauthorized', 'Unauthorized')],
    ['unsupported', statusError('MethodNotAllowed', 'the server does not allow this method')],
    ['refused', statusError('InternalError', 'conversion webhook for example.com/v1, Kind=Thing failed')],
    ['unreachable', connectionLost()],
  ])('names the cause of trouble in the words of the API: %s', async (reason, error) => {
    const { reflector, logged } = tell({
      list: () => {
        throw error;
      },
    });
    await settle();
    expect(reflector.state).toMatchObject({ name: 'waiting', cause: { reason, message: error.message }, untilMs: 500 });
    expect(reflector.trouble).toMatchObject({ reason });
    expect(reflector.synced).toBe(false);
    expect(logged).toHaveLength(1);
    await reflector.stop();
    expect(await reflector.whenSynced()).toBe(false);
  });

  it('drops its rows when the kind is gone, and finds them again when it is back', async () => {
    let served = true;
    const { reflector, timers, events, watch } = tell({
      list: () => {
        if (!served) throw statusError('NotFound', 'the server could not find the requested resource');
        return scriptedList('10', [scriptedObject('a', '1')]);
      },
    });
    await settle();
    served = false;
    watch().fail(statusError('NotFound', 'the server could not find the requested resource'));
    await timers.advance(500);
    expect(events.slice(2)).toEqual(['removed one/a=1']);
    expect(reflector.state).toMatchObject({
      name: 'waiting',
      cause: { reason: 'gone', code: 404, message: 'the API does not serve v1/configmaps' },
    });
    served = true;
    await timers.advance(1000);
    expect(events.slice(3)).toEqual(['added one/a=1', 'synced']);
    await reflector.stop();
  });

  it.each([
    ['still names the kind', () => Promise.resolve({ resources: [served()], failures: [] })],
    ['fails for the group', () => Promise.resolve({ resources: [], failures: [{ group: '', version: 'v1', message: 'no answer' }] })],
    ['does not answer', () => Promise.reject(connectionLost())],
  ])('keeps its rows after a 404 when discovery %s', async (_, discover) => {
    const { reflector, timers, events, watch } = tell({
      discover,
      list: (_options, call) => {
        if (call > 1) throw statusError('NotFound', 'not found');
        return scriptedList('10', [scriptedObject('a', '1')]);
      },
    });
    await settle();
    watch().fail(expired());
    await timers.advance(500);
    expect(reflector.state).toMatchObject({ name: 'waiting', cause: { reason: 'refused', code: 404 } });
    expect(events).toEqual(['added one/a=1', 'synced']);
    await reflector.stop();
  });

  it('polls what can be listed but not watched', async () => {
    const { reflector, timers, lists, events, watches } = tell({
      list: (_, call) => scriptedList(`${call}`, call === 1 ? [scriptedObject('a', '1')] : [scriptedObject('b', '2')]),
      onWatch: (watch) => watch.fail(statusError('MethodNotAllowed', 'the server does not allow this method on the requested resource')),
    });
    await settle();
    expect(reflector.state).toMatchObject({ name: 'polling', untilMs: 60_000 });
    expect(reflector.trouble).toBeUndefined();
    await timers.advance(60_000);
    expect(events.slice(2)).toEqual(['added one/b=2', 'removed one/a=1', 'synced']);
    await timers.advance(120_000);
    expect([lists.length, watches.length]).toEqual([4, 1]);
    await reflector.stop();
  });

  it('hands over one event at a time, and lets the stream wait', async () => {
    let running = 0;
    const gates: (() => void)[] = [];
    const { reflector, watch } = tell({
      onEvent: async () => {
        running += 1;
        await new Promise<void>((resolve) => gates.push(resolve));
        running -= 1;
      },
    });
    await settle();
    for (const step of [1, 2]) {
      expect([running, gates.length]).toEqual([1, step]);
      gates.at(-1)?.();
      await settle();
    }
    for (const version of ['11', '12', '13']) watch().send('MODIFIED', scriptedObject('a', version));
    await settle();
    expect([running, gates.length, watch().unread]).toEqual([1, 3, 2]);
    let stopped = false;
    const stop = reflector.stop().then(() => (stopped = true));
    await settle();
    expect(stopped).toBe(false);
    gates.at(-1)?.();
    await stop;
    expect(running).toBe(0);
    expect(gates).toHaveLength(3);
  });

  it('lets the rest of the process have its turn while it reads a long list', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const { reflector } = tell({
      list: ({ continue: token = '0' }) => {
        const items = Array.from({ length: 100 }, (_, index) => scriptedObject(`${token}-${index}`, '1'));
        return scriptedList('10', items, token === '40' ? undefined : `${Number(token) + 1}`);
      },
      onEvent: () => {
        for (const end = performance.now() + 0.01; performance.now() < end;);
      },
    });
    await reflector.whenSynced();
    clearInterval(timer);
    expect(reflector.size).toBe(4100);
    expect(turns).toBeGreaterThan(10);
    await reflector.stop();
  });

  it('reports what its handler or its projection throws, and goes on', async () => {
    const seen: string[] = [];
    const { reflector, watch, logged } = tell({
      keep: (object) => {
        if (object.metadata.name === 'odd') throw new Error('cannot project');
        return object.metadata.resourceVersion ?? '';
      },
      onEvent: (event) => {
        seen.push(event.type);
        if (event.type === 'added') throw new Error('cannot handle');
      },
    });
    await settle();
    watch().send('ADDED', scriptedObject('odd', '11'));
    watch().send('MODIFIED', scriptedObject('a', '12'));
    await settle();
    expect(seen).toEqual(['added', 'synced', 'changed']);
    expect(reflector.counts.handlerFailures).toBe(2);
    expect(logged.filter((line) => line.includes('An event could not be handled'))).toHaveLength(2);
    await reflector.stop();
  });

  it('gives up a page that is never answered, and stops without waiting for it', async () => {
    const { reflector, timers, lists } = tell({ list: () => new Promise(() => undefined), limits: { pageTimeoutMs: 3000 } });
    await timers.advance(3000);
    expect(reflector.state).toMatchObject({ name: 'waiting', cause: { reason: 'unreachable', message: 'no answer within 3 s' } });
    await timers.advance(500);
    expect(lists).toHaveLength(2);
    expect(lists[0]?.signal?.aborted).toBe(true);
    await reflector.stop();
    expect(timers.waiting).toBe(0);
  });
});

function served() {
  return { ...configMaps, singular: '', shortNames: [], categories: [], verbs: ['list', 'watch'], subresources: [], preferred: true };
}
