import { readFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { formatAddress, formatKubeconfig, reachableAddress, type UpOptions } from '../cli/index.ts';
import { isFolderInUse } from './data-folder.ts';
import { readLocalKubeconfig } from './local-kubeconfig.ts';
import { isTlsOn } from './server-certificate.ts';
import { StartError, describeSystemError } from './start-error.ts';

const timeoutMs = 10_000;
const answerBytesMax = 65_536;

export interface KubeconfigInput {
  readonly options: UpOptions;
  readonly dataDir: string;
  /** Of the admin, to sign in with at the server that the flags describe; without it, the server of the data folder is meant. */
  readonly password: string | undefined;
}

/** A kubeconfig for a running server. Throws StartError when that cannot be. */
export async function readKubeconfig({ options, dataDir, password }: KubeconfigInput): Promise<string> {
  const local = (await isFolderInUse(dataDir)) ? await readLocalKubeconfig(dataDir) : undefined;
  if (password === undefined) {
    if (local !== undefined) return local.text;
    throw new StartError(
      `no server with a Kubernetes API of its own runs with the data folder ${dataDir}; to sign in at one elsewhere, give --listen and FAIRWAY_ADMIN_PASSWORD`,
    );
  }
  const { tlsCert, listen } = options;
  const isSecure = isTlsOn(options);
  const url = `${isSecure ? 'https' : 'http'}://${formatAddress(reachableAddress(listen))}`;
  const given = tlsCert === undefined ? undefined : await readFile(tlsCert, 'utf8').catch(() => undefined);
  const certificate = isSecure ? (given ?? local?.certificate) : undefined;
  return formatKubeconfig({ url, certificate, token: await signIn(url, password, certificate) });
}

async function signIn(url: string, password: string, certificate: string | undefined): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password });
  const { status, text } = await post(`${url}/api/v1/session`, body, certificate).catch((error: unknown) => {
    throw new StartError(`no server answers at ${url}: ${describeSystemError(error)}`);
  });
  const answer = parseAnswer(text);
  if (status === 200 && typeof answer['token'] === 'string') return answer['token'];
  throw new StartError(
    `the server at ${url} refuses the admin password: ${typeof answer['message'] === 'string' ? answer['message'] : `status ${status}`}`,
  );
}

function parseAnswer(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Something else answers at this address.
    return {};
  }
}

function post(url: string, body: string, certificate: string | undefined): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(timeoutMs),
    };
    const outgoing = url.startsWith('https:')
      ? requestHttps(url, { ...options, ...(certificate !== undefined && { ca: certificate }) })
      : requestHttp(url, options);
    outgoing.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('error', reject);
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > answerBytesMax) outgoing.destroy(new Error('the answer is too long'));
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.end(body);
  });
}
