import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/support/manual-timers.ts';
import { connectionLost, expired, tellStory } from '../../../test/support/reflector-story.ts';
import { scriptedList, scriptedObject } from '../../../test/support/scripted-kube-api.ts';

describe('A reflector', () => {
  it('lists in pages, then watches from the version of the list', async () => {
    const { reflector, events, lists, watch } = tellStory({
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
    expect(watch().options).toMatchObject({ resourceVersion: '10', allowBookmarks: true, timeoutSeconds: 1800 });
    expect(reflector.state.name).toBe('watching');
    await reflector.stop();
    expect(reflector.state.name).toBe('stopped');
    expect(watch().isOpen).toBe(false);
  });

  it('applies the events of the watch, and takes an event for what it does to the rows, not for its name', async () => {
    const { reflector, events, watch } = tellStory({});
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
    const { reflector, lists, timers, watch, watches } = tellStory({});
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
    const { reflector, events, timers, watch } = tellStory({ list: (_, call) => lists[call - 1] ?? scriptedList('', []) });
    await settle();
    watch().sendEvent({ type: 'ERROR', object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 } });
    await timers.advance(500);
    expect(events.slice(4)).toEqual(['changed one/edited=15', 'added one/made=16', 'removed one/deleted=3', 'synced']);
    expect(watch().options.resourceVersion).toBe('20');
    await reflector.stop();
  });

  it('begins a list once more when a page token expires, with larger pages, and then backs off', async () => {
    const { reflector, lists, timers, events } = tellStory({
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

  it('hands over one event at a time, and lets the stream wait', async () => {
    let running = 0;
    const gates: (() => void)[] = [];
    const { reflector, watch } = tellStory({
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
    const { reflector } = tellStory({
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

  it('lets the rest of the process have its turn while many events come', async () => {
    let turns = 0;
    const { reflector, watch } = tellStory({ keep: () => '', onEvent: () => undefined });
    await settle();
    for (let index = 0; index < 3000; index += 1) watch().send('ADDED', scriptedObject(`many-${index}`, `${index}`));
    while (reflector.size < 3001) {
      turns += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(turns).toBeGreaterThan(5);
    await reflector.stop();
  });

  it('reports what its handler or its projection throws, and goes on', async () => {
    const seen: string[] = [];
    const { reflector, watch, logged } = tellStory({
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
});
