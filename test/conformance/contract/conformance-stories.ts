import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methods, type JsonObject } from '../../../src/contract/index.ts';
import { createArgocdUser, type ArgocdUser } from '../../support/argocd.ts';
import { callGrpc, callRest, callRoute, toRestCall, type ContractAnswer } from '../../support/contract-call.ts';
import { createGrpcClient, type GrpcClient } from '../../support/grpc-client.ts';
import { ensureTool } from '../../support/tools/ensure-tool.ts';
import { CLIENT_COMMANDS, type CommandStage } from './client-commands.ts';
import { EFFECTS, type Aftermath } from './effects.ts';
import { EXPECTED_ANSWERS, REFUSING } from './expected-answers.ts';
import { CONTRACT_REQUESTS } from './requests.ts';
import { findMethod, type ContractScene } from './scene.ts';
import type { Things } from './things.ts';

const ROTATE = 'cluster.ClusterService/RotateAuth';

const routes = methods.flatMap((method) =>
  method.http.map((binding) => ({ method, binding, route: `${binding.verb} ${binding.path}`, path: method.path.slice(1) })),
);
const commands = Object.entries(CLIENT_COMMANDS).flatMap(([path, command]) => (typeof command === 'string' ? [] : [{ path, command }]));

/** Asks every method by every way there is, of a program that has one of each thing. */
export function describeConformance(open: () => Promise<ContractScene>): void {
  let scene: ContractScene;
  let client: GrpcClient;
  let user: ArgocdUser;
  let stage: CommandStage;
  const opened = new AsyncDisposableStack();

  beforeAll(async () => {
    scene = await open();
    opened.defer(() => scene.close());
    client = createGrpcClient(scene.fairway.address);
    opened.defer(() => client.close());
    user = opened.use(await createArgocdUser(await ensureTool('argocd')));
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    stage = { ...scene.things, address: scene.fairway.address, files: await writeFiles(folder, scene) };
    await user.run('login', scene.fairway.address, '--plaintext', '--username', 'admin', '--password', scene.fairway.adminPassword);
  }, 180_000);
  afterAll(() => opened.disposeAsync());

  /** A session of its own, where the call ends it. */
  const tokenFor = async (path: string): Promise<string | undefined> =>
    path === 'session.SessionService/Delete' ? scene.signIn() : scene.tokens.admin;

  /** What is to be made is not there yet. */
  const thingsFor = (path: string): Things =>
    /\/Create(?!Token)/.test(path) && requestOf(path).changes !== undefined ? scene.things.absent : scene.things.present;

  const check = async (path: string, answer: ContractAnswer, token: string | undefined): Promise<void> => {
    try {
      checkAnswer(path, answer);
      await checkEffect(path, answer, token);
    } finally {
      const changes = path === ROTATE ? 'cluster' : requestOf(path).changes;
      if (changes !== undefined && (path === ROTATE || answer.code === 0)) await scene.restore(changes);
    }
  };

  const checkAnswer = (path: string, answer: ContractAnswer): void => {
    const isRotated = scene.registerFreshToken !== undefined && path === ROTATE;
    const expected = isRotated ? '{}' : (EXPECTED_ANSWERS[path]?.(thingsFor(path)) ?? '');
    const text = answer.text.trim();
    expect(answer.code === 0, text.slice(0, 400)).toBe(isRotated || !REFUSING.has(path));
    if (expected === '{}') expect(text).toBe('{}');
    else expect(text).toContain(expected);
  };

  /** Looks at what became of it, before things are as they were again. */
  const checkEffect = async (path: string, answer: ContractAnswer, token: string | undefined): Promise<void> => {
    const effect = EFFECTS[path];
    if (effect === undefined) return;
    const ask: Aftermath['ask'] = (other, request, as = scene.tokens.admin) =>
      callRest(scene.fairway.url, findMethod(other), request, { token: as });
    const aftermath = { things: thingsFor(path), absent: scene.things.absent, answer, token, ask };
    await expect.poll(() => effect(aftermath), { message: 'it answered, and nothing shows of it' }).toBe(true);
  };

  describe('over REST', () => {
    it.each(routes)('$route', async ({ method, binding, path }) => {
      const { request, next } = requestOf(path);
      if (path === ROTATE) await scene.registerFreshToken?.();
      const wanted = binding.path.includes('{podName}') ? await findPod(scene) : request(thingsFor(path));
      const call = toRestCall(binding, wanted);
      if (call === undefined) throw new Error(`the route ${binding.path} asks for more than ${JSON.stringify(wanted)}`);
      const token = await tokenFor(path);
      await check(path, await callRoute(scene.fairway.url, call, { token, isStream: method.serverStreaming, next }), token);
    });
  });

  describe('over gRPC', () => {
    it.each(methods.map((method) => ({ method, path: method.path.slice(1) })))('$path', async ({ method, path }) => {
      const { request, next } = requestOf(path);
      if (path === ROTATE) await scene.registerFreshToken?.();
      const token = await tokenFor(path);
      await check(path, await callGrpc(client, method, request(thingsFor(path)), { token, next }), token);
    });
  });

  describe('with the stock client', () => {
    it.each(commands)('$path', async ({ path, command: { failsSaying: failure, ...command } }) => {
      const failsSaying = scene.registerFreshToken !== undefined && path === ROTATE ? undefined : failure;
      if (path === ROTATE) await scene.registerFreshToken?.();
      const before = await countCalls(scene, path);
      const { code, stdout, stderr } = await user.run(...command.arguments(stage));
      if (command.changes !== undefined) await scene.restore(command.changes);
      const said = `${stdout}${stderr}`;
      const wanted = failsSaying === undefined ? 0 : 20;
      expect({ code, said: code === wanted ? '' : said }).toEqual({ code: wanted, said: '' });
      if (failsSaying !== undefined) expect(said).toContain(failsSaying);
      expect(await countCalls(scene, path), 'the method was not called').toBeGreaterThan(before);
    });
  });
}

function requestOf(path: string): (typeof CONTRACT_REQUESTS)[string] {
  const request = CONTRACT_REQUESTS[path];
  if (request === undefined) throw new Error(`there is no request for ${path}`);
  return request;
}

/** The route to the logs of one pod needs its name. */
async function findPod({ fairway, things: { present }, tokens }: ContractScene): Promise<JsonObject> {
  const { text } = await callRest(
    fairway.url,
    findMethod('application.ApplicationService/ResourceTree'),
    { applicationName: present.app },
    { token: tokens.admin },
  );
  const { nodes } = JSON.parse(text) as { nodes: readonly { kind: string; name: string }[] };
  const pod = nodes.find(({ kind }) => kind === 'Pod');
  return { name: present.app, namespace: present.namespace, podName: pod?.name ?? '' };
}

/** How often a method was called over gRPC, as the program counts. */
async function countCalls({ fairway }: ContractScene, path: string): Promise<number> {
  const [service = '', method = ''] = path.split('/');
  const text = await (await fetch(`${fairway.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('fairway_requests_total{transport="grpc"'));
  const counts = lines
    .filter((line) => line.includes(`service="${service}",method="${method}"`))
    .map((line) => Number(line.split(' ').at(-1)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function writeFiles(folder: string, { things: { absent } }: ContractScene): Promise<CommandStage['files']> {
  const [knownHosts, key, set, manifests] = ['known-hosts', 'key.asc', 'set.json', 'manifests'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  await writeFile(knownHosts, `${absent.host} ssh-ed25519 ${Buffer.from(absent.hostKey, 'base64').toString('utf8')}\n`);
  await writeFile(key, absent.key.data);
  const { applicationset } = requestOf('applicationset.ApplicationSetService/Create').request(absent);
  await writeFile(set, JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', ...(applicationset as object) }));
  await mkdir(join(manifests, 'app'), { recursive: true });
  await writeFile(join(manifests, 'app', 'local.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: local}\n');
  return { knownHosts, key, set, manifests };
}
