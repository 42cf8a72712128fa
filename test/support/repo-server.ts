import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { messageCodec } from '../../src/contract/index.ts';
import type { JsonObject } from '../../src/contract/index.ts';
import { freePorts } from './cluster/free-ports.ts';

/** Argo CD's own repo server. */
export interface RepoServer {
  readonly pid: number;
  /** The objects of a source, as JSON texts. */
  generate(request: GenerateRequest): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface GenerateRequest {
  readonly url: string;
  /** Besides the address of the repository and the branch `main`. */
  readonly source: Readonly<Record<string, unknown>>;
  readonly application: string;
  readonly namespace: string;
  /** Asks the git server anew. */
  readonly fresh?: boolean;
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
}

export interface RepoServerOptions {
  readonly helm: string;
  readonly kustomize: string;
  readonly redisPort: number;
}

const METHOD = '/repository.RepoServerService/GenerateManifest';
const CALL_LIMIT_MS = 10 * 60_000;
const START_LIMIT_MS = 60_000;

/** Starts it with a cache that is there already; `program` is the tool of that name. */
export async function startRepoServer(program: string, { redisPort, ...tools }: RepoServerOptions): Promise<RepoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-server-'));
  for (const name of ['tmp', 'gpg', 'tls', 'ssh', 'bin']) await mkdir(join(folder, name), { mode: 0o700 });
  // It runs this for every commit, to look for a signature; here it finds none, at once.
  await writeFile(join(folder, 'bin', 'git-verify-wrapper.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const [port, metricsPort] = await freePorts(2);
  const args = ['--redis', `127.0.0.1:${redisPort}`, '--port', String(port), '--address', '127.0.0.1'];
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
    pid: child.pid ?? 0,
    generate: (request) => generate(client, encodeRequest(request)),
    async close() {
      client.close();
      child.kill('SIGKILL');
      if (child.exitCode === null) await once(child, 'exit');
      // Programs that it started may still write there.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

function generate(client: Client, request: Buffer): Promise<readonly string[]> {
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
        else resolve((answer?.['manifests'] as readonly string[] | undefined) ?? []);
      },
    );
  });
}

/** By the numbers of the fields: repository, revision, label and name of the application, its namespace, its source, and what its cluster is. */
function encodeRequest({ url, source, application, namespace, fresh, kubeVersion, apiVersions = [] }: GenerateRequest): Buffer {
  const repository = messageCodec('argoproj.v1alpha1.Repository').encode({ repo: url, type: 'git' });
  const whole = { ...source, repoURL: url, targetRevision: 'main' };
  return Buffer.concat([
    encodeField(1, repository),
    encodeField(2, Buffer.from('main')),
    encodeField(4, Buffer.from('app.kubernetes.io/instance')),
    encodeField(5, Buffer.from(application)),
    encodeField(8, Buffer.from(namespace)),
    encodeField(10, messageCodec('argoproj.v1alpha1.ApplicationSource').encode(whole as JsonObject)),
    ...(kubeVersion === undefined ? [] : [encodeField(14, Buffer.from(kubeVersion))]),
    ...apiVersions.map((version) => encodeField(15, Buffer.from(version))),
    ...(fresh === true ? [Buffer.from([...encodeNumber(18 << 3), 1])] : []),
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
