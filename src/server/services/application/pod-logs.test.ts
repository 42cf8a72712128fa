import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApplicationPlane, destination, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../../test/support/git-repository.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import { ManualTimers } from '../../../../test/support/manual-timers.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { systemTimers, type Timers } from '../../../base/index.ts';
import type { ApplicationPodLogsQuery, ApplicationService, ApplicationTree, LogEntry } from '../../../contract/index.ts';
import type { LogOptions, ObjectRef } from '../../../kube/index.ts';
import { statusError, type KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { createApplicationService } from './create-application-service.ts';

type Logs = (ref: ObjectRef, options: LogOptions) => AsyncIterable<Uint8Array>;

let plane: ApplicationPlane;
let repository: GitRepository;
let denied = '';

beforeAll(async () => {
  repository = await createGitRepository({ 'app/a.json': configMap('a') });
  plane = await openApplicationPlane();
  const source = { repoURL: repository.url, path: 'app' };
  for (const name of ['logged', 'crowd']) await plane.create(name, { project: 'default', source, destination });
  await waitUntil(() => plane.applications.size === 2);
  for (const name of ['one', 'two']) await plane.home.api.create(kinds.pod, pod(name, 'logged'));
  for (let index = 0; index < 50; index++) await plane.home.api.create(kinds.pod, pod(`crowd-${index}`, 'crowd'));
  await plane.home.api.create(kinds.pod, pod('stranger', undefined));
}, 60_000);

afterAll(async () => {
  await plane.close();
  await repository.remove();
});

function pod(name: string, application: string | undefined): KubeObject {
  const annotations = application === undefined ? {} : { 'argocd.argoproj.io/tracking-id': `${application}:/Pod:default/${name}` };
  const spec = { containers: [{ name: 'main', image: 'web:1' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', annotations }, spec };
}

const encoder = new TextEncoder();
const at = (second: number, text: string): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000001Z ${text}\n`;

/** Logs by the name of the pod. */
const fixed = (texts: Readonly<Record<string, string>>): Logs =>
  async function* (ref) {
    await Promise.resolve();
    const text = texts[ref.name];
    if (text === undefined) throw statusError('BadRequest', `no log of ${ref.name}`);
    yield encoder.encode(text);
  };

function read(
  query: Partial<ApplicationPodLogsQuery>,
  logs: Logs,
  more: { timers?: Timers; signal?: AbortSignal; tree?: ApplicationTree } = {},
): AsyncIterable<LogEntry> {
  const { clusters, inspector } = plane.service;
  const { tree } = more;
  const policy = { isAllowed: (_caller: unknown, resource: string) => resource !== denied };
  const service = createApplicationService({
    ...plane.service,
    policy,
    timers: more.timers ?? systemTimers,
    inspector: tree === undefined ? inspector : { ...inspector, tree: () => Promise.resolve(tree) },
    clusters: {
      ...clusters,
      resolve: (target) => Object.create(clusters.resolve(target), { api: { value: { ...plane.home.api, logs } } }),
    },
  }) as ApplicationService<Call>;
  const call = { ...createServiceCall('/application.ApplicationService/PodLogs'), ...(more.signal && { signal: more.signal }) };
  return service.PodLogs({ name: 'logged', ...query }, call);
}

async function all(entries: AsyncIterable<LogEntry>): Promise<string[]> {
  const found: string[] = [];
  for await (const { podName, content, last } of entries) found.push(`${podName}: ${content}${last ? ' (last)' : ''}`);
  return found;
}

describe('Logs', () => {
  const texts = { one: at(1, 'a') + at(3, 'C'), two: at(2, 'b') + at(4, 'd') };

  it('of several pods are one, in the order of time, and end with a mark', async () => {
    expect(await all(read({}, fixed(texts)))).toEqual(['one: a', 'two: b', 'one: C', 'two: d', 'two:  (last)']);
  });

  it('that go on are in that order too, and no silent pod holds up the others', async () => {
    const ended = new AbortController();
    // On a busy machine a moment may pass between two steps; here it passes when we say so.
    const timers = new ManualTimers();
    const logs: Logs = async function* ({ name }, { signal }) {
      if (name === 'two') yield encoder.encode(at(1, 'first') + at(3, 'third'));
      else yield encoder.encode(at(2, 'second'));
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    };
    const entries = read({ follow: true }, logs, { timers, signal: ended.signal })[Symbol.asyncIterator]();
    expect((await entries.next()).value).toMatchObject({ content: 'first' });
    expect((await entries.next()).value).toMatchObject({ content: 'second' });
    const third = entries.next();
    await timers.advance(100);
    expect((await third).value).toMatchObject({ content: 'third' });
    ended.abort();
    await entries.return?.();
  });

  it('DOS-07: are found at once below owners that have several owners each', async () => {
    const layers = Array.from({ length: 40 }, (_, layer) =>
      ['a', 'b'].map((side) => ({
        version: 'v1',
        kind: 'ConfigMap',
        namespace: 'default',
        name: `${side}${layer}`,
        uid: `${side}${layer}`,
      })),
    );
    const nodes = layers.flatMap((layer, index) =>
      layer.map((node) => ({ ...node, ...(index > 0 && { parentRefs: layers[index - 1] ?? [] }) })),
    );
    const last = { version: 'v1', kind: 'Pod', namespace: 'default', name: 'one', uid: 'pod', parentRefs: layers.at(-1) ?? [] };
    const tree = { nodes: [...nodes, last] };
    const startMs = performance.now();
    expect(await all(read({ kind: 'Nothing' }, fixed(texts), { tree }))).toEqual([]);
    expect(await all(read({ kind: 'ConfigMap', resourceName: 'a0' }, fixed(texts), { tree }))).toEqual([
      'one: a',
      'one: C',
      'one:  (last)',
    ]);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('are cut into lines wherever their pieces end', async () => {
    const pieces = [at(1, 'a').slice(0, 9), at(1, 'a').slice(9, -1), '\r', '\n', at(2, 'é\r').slice(0, -1), `${at(3, 'c').slice(0, -1)}\r`];
    const bytes = pieces.map((piece) => encoder.encode(piece));
    const split = bytes.flatMap((piece) => [piece.subarray(0, -2), piece.subarray(-2, -1), piece.subarray(-1)]);
    for (const chunks of [bytes, split, [Buffer.concat(bytes)]]) {
      const logs: Logs = async function* () {
        await Promise.resolve();
        yield* chunks;
      };
      expect(await all(read({ podName: 'one' }, logs))).toEqual(['one: a', 'one: é', 'one: c', 'one:  (last)']);
    }
  });

  it('are asked for as the caller says', async () => {
    const asked: LogOptions[] = [];
    const logs: Logs = (ref, options) => {
      asked.push(options);
      return fixed(texts)(ref, options);
    };
    const query = { container: 'main', previous: true, sinceSeconds: 5, tailLines: 7, sinceTime: '2026-01-01T00:00:00Z' };
    await all(read({ podName: 'one', ...query }, logs));
    expect(asked).toEqual([{ ...query, timestamps: true, signal: expect.any(AbortSignal) as AbortSignal }]);
    asked.length = 0;
    await all(read({ podName: 'one', sinceSeconds: 0, tailLines: -1 }, logs));
    expect(Object.keys(asked[0] ?? {}).toSorted()).toEqual(['signal', 'timestamps']);
  });

  it('end with the first line that is later than asked for', async () => {
    expect(await all(read({ untilTime: '2026-01-01T00:00:02.5Z' }, fixed(texts)))).toEqual(['one: a', 'two: b', 'one: C (last)']);
    await expect(all(read({ untilTime: 'soon' }, fixed(texts)))).rejects.toThrow('invalid untilTime parameter value: soon');
  });

  it.each([
    ['c', false, ['one: C']],
    ['c', true, []],
    ['!c', false, ['one: a', 'two: b', 'two: d']],
    ['(a+)+$', false, []],
  ])('are filtered by %j', async (filter, matchCase, expected) => {
    expect(await all(read({ filter, matchCase }, fixed(texts)))).toEqual([...expected, 'two:  (last)']);
  });

  it('JQ-03 are not filtered by what is too long', async () => {
    await expect(all(read({ filter: 'a'.repeat(1 << 20) }, fixed(texts)))).rejects.toMatchObject({ code: 3 });
  });

  it('of a pod that cannot be read say so in a line', async () => {
    expect(await all(read({}, fixed({ two: texts.two })))).toEqual(['one: no log of one', 'two: b', 'two: d', 'two:  (last)']);
  });

  it('LOGS-01 are only those of pods of the application', async () => {
    const asked: string[] = [];
    const logs: Logs = (ref, options) => {
      asked.push(`${ref.namespace}/${ref.name}`);
      return fixed({})(ref, options);
    };
    for (const query of [
      { podName: 'stranger' },
      { podName: 'crowd-1' },
      { podName: 'one', namespace: 'kube-system' },
      { podName: '../../nodes/one' },
      { kind: 'Deployment', resourceName: 'stranger' },
    ])
      expect(await all(read(query, logs))).toEqual([]);
    expect(asked).toEqual([]);
    denied = 'logs';
    await expect(all(read({ podName: 'one' }, logs))).rejects.toMatchObject({ code: 7 });
    denied = '';
    expect(asked).toEqual([]);
  });

  it('LOGS-02 of too many pods are refused before one is asked', async () => {
    const refused = read({ name: 'crowd' }, () => {
      throw new Error('asked');
    });
    await expect(all(refused)).rejects.toThrow('max pods to view logs are reached. Please provide more granular query');
  });

  it('LOGS-03 without line breaks, without end and without a reader take no memory', async () => {
    const chunk = new Uint8Array(64 << 10).fill(97);
    let produced = 0;
    let isClosed = false;
    const endless: Logs = async function* () {
      try {
        for (;;) {
          await Promise.resolve();
          produced += chunk.length;
          yield chunk;
        }
      } finally {
        isClosed = true;
      }
    };
    let [count, longest] = [0, 0];
    for await (const { content } of read({ podName: 'one', follow: true }, endless)) {
      count += 1;
      longest = Math.max(longest, content.length);
      const before = produced;
      // A reader that stands still: nothing is read for it meanwhile.
      if (count === 2) await new Promise((resolve) => setTimeout(resolve, 100));
      expect(produced - before).toBeLessThan(8 << 20);
      if (count === 64) break;
    }
    expect(longest).toBeLessThanOrEqual((1 << 20) + chunk.length);
    await waitUntil(() => isClosed);
  });

  it('LOGS-04 end soon after the right to them is gone, also while nothing is said', async () => {
    const timers = new ManualTimers();
    const silent: Logs = async function* (_ref, { signal }) {
      yield encoder.encode(at(1, 'hello'));
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    };
    const entries = read({ podName: 'one', follow: true }, silent, { timers })[Symbol.asyncIterator]();
    expect((await entries.next()).value).toMatchObject({ content: 'hello' });
    const refused = entries.next().catch((error: unknown) => error);
    await timers.advance(30_000);
    denied = 'logs';
    await timers.advance(30_000);
    expect(await refused).toMatchObject({ code: 7 });
    denied = '';
    expect(timers.waiting).toBe(0);
  });
});
