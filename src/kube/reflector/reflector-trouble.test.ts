import { describe, expect, it } from 'vitest';
import { statusError } from '../../objects/index.ts';
import { settle } from '../../../test/support/manual-timers.ts';
import { connectionLost, expired, tellStory } from '../../../test/support/reflector-story.ts';
import { scriptedList, scriptedObject, type ScriptedWatch } from '../../../test/support/scripted-kube-api.ts';
import { kinds } from '../../../test/support/kinds.ts';

describe('A reflector in trouble', () => {
  it('takes silence for failure, but not the time that its handler needs', async () => {
    const handling = Promise.withResolvers<void>();
    const { reflector, timers, watch, watches } = tellStory({
      onEvent: (event) => (event.type === 'changed' ? handling.promise : undefined),
      limits: { stallMs: 5000 },
      list: (_, call) => scriptedList(call === 1 ? '10' : '12', [scriptedObject('a', call === 1 ? '1' : '11')]),
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
    const { reflector, timers, lists, watches } = tellStory({ onWatch });
    await timers.advance(60_000);
    // 0.5 + 1 + 2 + 4 + 8 + 16 + 30 seconds.
    expect(watches).toHaveLength(7);
    expect(lists.length).toBeLessThanOrEqual(7);
    await timers.advance(300_000);
    expect(watches).toHaveLength(17);
    await reflector.stop();
  });

  it('lists again when the API keeps refusing to go on from a version', async () => {
    const { reflector, timers, lists } = tellStory({
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
    const { reflector, timers, lists, watches, events } = tellStory({
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
    const { reflector, timers, lists, watch, watches } = tellStory({ limits: { stallMs: 5000 } });
    await timers.advance(5500);
    expect(lists.map(({ limit }) => limit)).toEqual([500, 1]);
    expect(watches).toHaveLength(2);
    expect(watch().options.resourceVersion).toBe('10');
    await reflector.stop();
  });

  it('lists again when the API was set back and is silent about all until it reaches the version that was known', async () => {
    let isSetBack = false;
    const { reflector, timers, lists, watch, events } = tellStory({
      limits: { stallMs: 5000 },
      list: () => {
        if (isSetBack) return scriptedList('10', [scriptedObject('a', '1')]);
        return scriptedList('30', [scriptedObject('a', '25'), scriptedObject('b', '26')]);
      },
    });
    await settle();
    isSetBack = true;
    await timers.advance(5000);
    expect(reflector.trouble).toMatchObject({ reason: 'expired' });
    await timers.advance(500);
    expect(lists.map(({ limit }) => limit)).toEqual([500, 1, 500]);
    expect(events.slice(3)).toEqual(['changed one/a=1', 'removed one/b=26', 'synced']);
    expect(watch().options.resourceVersion).toBe('10');
    expect(reflector.trouble).toBeUndefined();
    await reflector.stop();
  });

  it('begins a watch anew that somebody doubts, from where it stands, unless it has only just begun', async () => {
    const { reflector, timers, lists, watch, watches, events } = tellStory({});
    await settle();
    reflector.doubt();
    await timers.advance(4_000);
    expect(watches).toHaveLength(1);
    watch().send('ADDED', scriptedObject('b', '11'));
    await timers.advance(1_000);
    reflector.doubt();
    reflector.doubt();
    await settle();
    expect(watches).toHaveLength(2);
    expect(watches[0]?.isOpen).toBe(false);
    expect(watch().options.resourceVersion).toBe('11');
    watch().send('ADDED', scriptedObject('c', '12'));
    await settle();
    expect(events.at(-1)).toBe('added one/c=12');
    expect(lists).toHaveLength(1);
    expect(reflector.trouble).toBeUndefined();
    await reflector.stop();
    reflector.doubt();
    expect(watches).toHaveLength(2);
  });

  it('forgets failures after a watch that lived, and goes on at once when that ends', async () => {
    let watchesBegun = 0;
    const { reflector, timers, watch, watches } = tellStory({ onWatch: (each) => (watchesBegun += 1) > 5 || each.end() });
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
    const { reflector, timers, lists } = tellStory({
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
    const { reflector, logged } = tellStory({
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
    const { reflector, timers, events, watch } = tellStory({
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
    const { reflector, timers, events, watch } = tellStory({
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

  it('forgets the failures of a list between two polls', async () => {
    const { reflector, timers, lists } = tellStory({
      list: (_, call) => {
        if (call === 2 || call === 3 || call === 5) throw connectionLost();
        return scriptedList('1', []);
      },
      onWatch: (watch) => watch.fail(statusError('MethodNotAllowed', 'no watch')),
    });
    await timers.advance(60_000 + 500 + 1000 + 60_000);
    expect(lists).toHaveLength(5);
    await timers.advance(500);
    expect(lists).toHaveLength(6);
    await reflector.stop();
  });

  it('polls what can be listed but not watched', async () => {
    const { reflector, timers, lists, events, watches } = tellStory({
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

  it('gives up a page that is never answered, and stops without waiting for it', async () => {
    const { reflector, timers, lists } = tellStory({ list: () => new Promise(() => undefined), limits: { pageTimeoutMs: 3000 } });
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
  return { ...kinds.configMap, singular: '', shortNames: [], categories: [], verbs: ['list', 'watch'], subresources: [], preferred: true };
}
