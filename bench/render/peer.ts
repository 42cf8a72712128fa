import { spawn } from 'node:child_process';
import type { Serializable } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, credentials } from '@grpc/grpc-js';
import { messageCodec } from '../../src/contract/index.ts';
import type { JsonObject } from '../../src/contract/index.ts';
import { startChildProgram } from '../support/child-program.ts';

/** Argo CD's repo server with a cache beside it. */
export interface Peer {
  /** How many objects an application has. */
  render(url: string, path: string, fresh: boolean): Promise<number>;
  /** Of the server and of the programs that it started and that have ended. */
  processorSeconds(): number;
  close(): Promise<void>;
}

const METHOD = '/repository.RepoServerService/GenerateManifest';
const CALL_LIMIT_MS = 10 * 60_000;
const START_LIMIT_MS = 60_000;

export async function startPeer(program: string, tools: { readonly helm: string; readonly kustomize: string }): Promise<Peer> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-peer-'));
  for (const name of ['tmp', 'gpg', 'tls', 'ssh', 'bin']) await mkdir(join(folder, name), { mode: 0o700 });
  // It runs this for every commit, to look for a signature; here it finds none, at once.
  await writeFile(join(folder, 'bin', 'git-verify-wrapper.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const redis = startChildProgram<Serializable, number>(new URL('redis-stub.ts', import.meta.url));
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const args = ['--redis', `127.0.0.1:${await redis.ask('port')}`, '--port', String(port), '--address', '127.0.0.1'];
  const child = spawn(
    program,
    [
      ...args,
      '--metrics-port',
      String(metricsPort),
      '--metrics-address',
      '127.0.0.1',
      '--disable-tls',
      '--client-ca-path',
      '',
      '--loglevel',
      'error',
    ],
    {
      env: {
        PATH: [join(folder, 'bin'), dirname(tools.helm), dirname(tools.kustomize), process.env['PATH'] ?? ''].join(delimiter),
        HOME: folder,
        TMPDIR: join(folder, 'tmp'),
        ARGOCD_GPG_ENABLED: 'false',
        ARGOCD_GNUPGHOME: join(folder, 'gpg'),
        ARGOCD_TLS_DATA_PATH: join(folder, 'tls'),
        ARGOCD_SSH_DATA_PATH: join(folder, 'ssh'),
        ARGOCD_ASK_PASS_SOCK: join(folder, 'ask-pass.sock'),
        ARGOCD_PLUGINSOCKFILEPATH: join(folder, 'tmp'),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.max_receive_message_length': 64 << 20 });
  // It ends by itself where it does not like how it is started.
  child.once('exit', () => client.close());
  await new Promise<void>((resolve, reject) => {
    client.waitForReady(Date.now() + START_LIMIT_MS, (error) => (error ? reject(error) : resolve()));
  });
  return {
    render: (url, path, fresh) => generate(client, encodeRequest(url, path, fresh)),
    processorSeconds: () => readProcessorSeconds(child.pid ?? 0),
    async close() {
      client.close();
      child.kill('SIGKILL');
      if (child.exitCode === null) await once(child, 'exit');
      redis.stop();
      // Programs that it started may still write there.
      await wait(500);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function generate(client: Client, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const read = (bytes: Buffer): JsonObject => messageCodec('repository.ManifestResponse').decode(bytes);
    const options = { deadline: Date.now() + CALL_LIMIT_MS };
    client.makeUnaryRequest(
      METHOD,
      (bytes: Buffer) => bytes,
      read,
      request,
      options,
      (error, answer) => {
        if (error !== null) reject(error);
        else resolve((answer?.['manifests'] as readonly unknown[] | undefined)?.length ?? 0);
      },
    );
  });
}

/** By the numbers of the fields: repository, revision, the label and name of the application, its namespace, its source. */
function encodeRequest(url: string, path: string, fresh: boolean): Buffer {
  const repository = messageCodec('argoproj.v1alpha1.Repository').encode({ repo: url, type: 'git' });
  const source = messageCodec('argoproj.v1alpha1.ApplicationSource').encode({ repoURL: url, path, targetRevision: 'main' });
  return Buffer.concat([
    encodeField(1, repository),
    encodeField(2, Buffer.from('main')),
    encodeField(4, Buffer.from('app.kubernetes.io/instance')),
    encodeField(5, Buffer.from(path.split('/').at(-1) ?? '')),
    encodeField(8, Buffer.from('prod')),
    encodeField(10, source),
    ...(fresh ? [Buffer.from([...encodeNumber(18 << 3), 1])] : []),
    encodeField(19, Buffer.from('annotation')),
    encodeField(25, Buffer.from('default')),
  ]);
}

function encodeField(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...encodeNumber((number << 3) | 2), ...encodeNumber(content.length)]), content]);
}

function encodeNumber(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encodeNumber(value >> 7)];
}

/** Clock ticks are hundredths of a second on every Linux that there is. */
function readProcessorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
