import { describe, expect, it } from 'vitest';
import { createLogger, systemClock } from '../base/index.ts';
import type { ClusterAccess, KubeApi } from '../kube/index.ts';
import { inClusterServer } from '../model/index.ts';
import type { HomeCluster } from './clusters.ts';
import { connectCluster } from './connect-cluster.ts';

const api = {} as KubeApi;
const access: ClusterAccess = {
  server: 'https://10.0.0.1',
  credentials: { identity: { type: 'token', token: 'of the pod' }, trust: { insecure: true }, disableCompression: false },
};
const embedded: HomeCluster = { api, kind: 'embedded' };
const real: HomeCluster = { api, kind: 'cluster', access };
const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
const token = JSON.stringify({ bearerToken: 'another' });
const command = JSON.stringify({ execProviderConfig: { command: 'print', apiVersion: 'client.authentication.k8s.io/v1' } });

function connect(server: string, config: string, home: HomeCluster, allowCommands = false) {
  return connectCluster({ server, config }, { home, allowCommands, userAgent: 'test', clock: systemClock, log });
}

describe('the client of a cluster', () => {
  it.each([
    ['of the embedded API, whatever a Secret says', embedded, token, true],
    ['of the cluster around, where a Secret says nothing of who calls', real, '{}', true],
    ['of the cluster around, where it is not known how it is reached', { api, kind: 'cluster' } as const, token, true],
    ['of its own, where a Secret brings a token', real, token, false],
  ])('around Fairway is the one %s', async (_title, home, config, isHome) => {
    const connection = connect(inClusterServer, config, home);
    expect(connection.api === api).toBe(isHome);
    await connection.close();
  });

  it('elsewhere is its own, and is closed with its connection', async () => {
    const connection = connect('https://one.example.org', token, real);
    expect(connection.api).not.toBe(api);
    await connection.close();
    await expect(connection.api.version()).rejects.toThrow('is closed');
  });

  it.each([
    ['an address that is none', 'one.example.org', '{}', 'the address of a cluster is a URL'],
    ['a proxy of an unknown kind', 'https://one', '{"proxyUrl":"ftp://x"}', 'unsupported scheme "ftp", must be http, https, or socks5'],
    ['a command that is not allowed', 'https://one', command, 'credentials from a command are not allowed here'],
  ])('is not made of %s', (_title, server, config, message) => {
    expect(() => connect(server, config, real)).toThrow(message);
  });

  it('may be made of a command where that is allowed', async () => {
    await connect('https://one', command, real, true).close();
  });
});
