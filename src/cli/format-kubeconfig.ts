import { stringify } from 'yaml';

export interface KubeconfigOptions {
  /** Of the server, without a path. */
  readonly url: string;
  readonly token: string;
  /** PEM; undefined where the system's certificates, or none, are asked. */
  readonly certificate: string | undefined;
}

/**
 * A kubeconfig for the Kubernetes API of a running server. `kubectl` keeps its tokens to itself where there is no TLS, so there the
 * token stands in the address, as a password.
 */
export function formatKubeconfig({ url, token, certificate }: KubeconfigOptions): string {
  const server = new URL('/k8s', url);
  const isSecure = server.protocol === 'https:';
  if (!isSecure) {
    server.username = 'token';
    server.password = token;
  }
  const name = 'fairway';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server: server.href,
          ...(certificate !== undefined && { 'certificate-authority-data': Buffer.from(certificate).toString('base64') }),
        },
      },
    ],
    users: [{ name: 'admin', user: isSecure ? { token } : {} }],
    contexts: [{ name, context: { cluster: name, user: 'admin', namespace: 'default' } }],
    'current-context': name,
  });
}
