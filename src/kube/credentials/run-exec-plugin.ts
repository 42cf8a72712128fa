import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { ApiError, Code } from '../../base/index.ts';
import type { Logger } from '../../base/index.ts';
import { parseTime } from '../../objects/index.ts';
import type { ExecPlugin } from './credentials.ts';
import { readFields } from './fields.ts';

const OUTPUT_BYTES_MAX = 1 << 20;
const COMPLAINT_BYTES_MAX = 2048;

export interface RunExecPluginOptions {
  readonly plugin: ExecPlugin;
  /** What the program is told of the cluster, where it asks. */
  readonly cluster: Readonly<Record<string, unknown>>;
  /** What the program inherits; its own settings come on top. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

/** What a plugin printed: a token, a client certificate, or both. */
export interface ExecCredential {
  readonly token?: string;
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** Milliseconds since the epoch; missing where it stays good until it is refused. */
  readonly expiresAtMs?: number;
}

/**
 * Runs a plugin once, without a shell, in a process group of its own that is ended with it. What it prints on the standard error
 * goes to the log and not into the error: errors reach people who may not see what a credential program says.
 */
export async function runExecPlugin(options: RunExecPluginOptions): Promise<ExecCredential> {
  const { plugin } = options;
  const result = await collectOutput(options);
  if ('failure' in result) {
    options.log.warn('an exec plugin failed', { command: plugin.command, failure: result.failure, complaint: result.complaint });
    const hint = plugin.installHint === undefined ? '' : `. ${plugin.installHint}`;
    throw new ApiError(Code.Unavailable, `the exec plugin ${plugin.command} ${result.failure}${hint}`);
  }
  return parseCredential(result.output, plugin);
}

type Outcome = { readonly output: string } | { readonly failure: string; readonly complaint: string };

function collectOutput({ plugin, cluster, environment, timeoutMs, signal }: RunExecPluginOptions): Promise<Outcome> {
  const spec = { interactive: false, ...(plugin.provideClusterInfo && { cluster }) };
  const child = spawn(plugin.command, plugin.args, {
    // Nothing but what is named here: a program for credentials has no use for our own secrets.
    env: {
      ...environment,
      ...Object.fromEntries(plugin.env.map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify({ apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    shell: false,
  });
  return new Promise((resolve) => {
    const output: Buffer[] = [];
    let outputBytes = 0;
    let complaint = '';
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      endGroup(child);
      resolve(outcome);
    };
    const fail = (failure: string): void => settle({ failure, complaint });
    const onAbort = (): void => fail('was no longer needed');
    const timer = setTimeout(() => fail(`printed no credential within ${timeoutMs / 1000} seconds`), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > OUTPUT_BYTES_MAX) fail('printed far too much');
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(0, COMPLAINT_BYTES_MAX);
    });
    child.once('error', (error) => fail(Reflect.get(error, 'code') === 'ENOENT' ? 'was not found' : 'could not be started'));
    child.once('close', (code, ended) => {
      if (code === 0) settle({ output: Buffer.concat(output).toString() });
      else fail(code === null ? `was ended by ${ended ?? 'a signal'}` : `ended with exit code ${code}`);
    });
  });
}

/** Also what the program started and left behind. */
function endGroup(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already, which is what was wanted.
  }
}

function parseCredential(output: string, plugin: ExecPlugin): ExecCredential {
  const bad = (problem: string): never => {
    throw new ApiError(Code.Unavailable, `the exec plugin ${plugin.command} printed ${problem}`);
  };
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return bad('something that is not JSON');
  }
  const fields = readFields(value, 'its output');
  if (fields.text('kind') !== 'ExecCredential') bad('something that is no ExecCredential');
  if (fields.text('apiVersion') !== plugin.apiVersion) bad(`an ExecCredential of another version than ${plugin.apiVersion}`);
  const status = fields.object('status');
  const token = status.text('token');
  const certificate = status.text('clientCertificateData');
  const key = status.text('clientKeyData');
  const expiry = status.text('expirationTimestamp');
  if (token === undefined && certificate === undefined) bad('neither a token nor a client certificate');
  if ((certificate === undefined) !== (key === undefined)) bad('only one of client certificate and key');
  const expiresAtMs = expiry === undefined ? undefined : (parseTime(expiry) ?? bad('an expiry that is no time'));
  return {
    ...(token !== undefined && { token }),
    ...(certificate !== undefined && key !== undefined && { certificate: { certificate, key } }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  };
}
