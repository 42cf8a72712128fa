import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import type { ClusterAccess } from './credentials.ts';

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InClusterOptions {
  /** KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are read from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the service account's files are mounted; tests say where. */
  readonly folder?: string;
}

/** The access of the service account that the pod around this process runs as. Its token is read again whenever it changes. */
export function loadInCluster({ environment, folder = FOLDER }: InClusterOptions): ClusterAccess {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  const token = join(folder, 'token');
  if (!host || !port || !existsSync(token)) {
    throw new ApiError(Code.FailedPrecondition, 'this process does not run in a pod with a service account');
  }
  const authority = join(folder, 'ca.crt');
  const namespace = readNamespace(join(folder, 'namespace'));
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    credentials: {
      identity: { type: 'token-file', file: token },
      trust: { insecure: false, ...(existsSync(authority) && { authority: { file: authority } }) },
      disableCompression: false,
    },
    ...(namespace && { namespace }),
  };
}

function readNamespace(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}
