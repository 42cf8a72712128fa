import { describe, expect, it } from 'vitest';
import { readClusterConfig, readInClusterConfig } from './cluster-config.ts';

const server = 'https://one.example/';
const read = (config: unknown, options: object = {}) => readClusterConfig({ server, config, ...options }).credentials;

describe('the configuration of a registered cluster', () => {
  it('may be missing', () => {
    const nothing = { identity: { type: 'none' }, trust: { insecure: false }, disableCompression: false };
    for (const config of [undefined, '', ' ', '{}', {}]) expect(read(config)).toEqual(nothing);
    expect(readClusterConfig({ server, config: '' }).server).toBe('https://one.example');
  });

  it('holds a user and password, or a token', () => {
    expect(read({ username: 'u', password: 'p', tlsClientConfig: { insecure: true } })).toMatchObject({
      identity: { type: 'basic', username: 'u', password: 'p' },
      trust: { insecure: true },
    });
    expect(read('{"bearerToken":"t","disableCompression":true,"proxyUrl":"http://p"}')).toMatchObject({
      identity: { type: 'token', token: 't' },
      proxyUrl: 'http://p',
      disableCompression: true,
    });
  });

  it('names a command, and the cloud form of one comes first', () => {
    const provider = {
      command: 'login',
      args: ['a'],
      env: { A: 'b' },
      apiVersion: 'client.authentication.k8s.io/v1',
      provideClusterInfo: true,
      config: { x: 1 },
    };
    const plugin = { command: 'login', args: ['a'], env: [{ name: 'A', value: 'b' }], provideClusterInfo: true, clusterConfig: { x: 1 } };
    expect(read({ bearerToken: 't', execProviderConfig: provider }, { allowCommands: true }).identity).toMatchObject({
      type: 'exec',
      plugin,
    });
    const aws = { clusterName: 'c', roleARN: 'r', profile: 'p' };
    expect(read({ awsAuthConfig: aws, execProviderConfig: provider }, { allowCommands: true }).identity).toEqual({
      type: 'exec',
      plugin: {
        apiVersion: 'client.authentication.k8s.io/v1beta1',
        command: 'argocd-k8s-auth',
        args: ['aws', '--cluster-name', 'c', '--role-arn', 'r', '--profile', 'p'],
        env: [],
        provideClusterInfo: false,
      },
    });
    expect(() => read({ awsAuthConfig: aws })).toThrow('credentials from a command are not allowed here');
  });

  it.each([
    ['{"bearerToken": "secret-value"', 'config is not JSON'],
    ['[1]', 'config is not an object'],
    [{ proxyUrl: 'ftp://x' }, 'failed to parse proxy url, unsupported scheme "ftp", must be http, https, or socks5'],
    [{ proxyUrl: 'nonsense' }, 'failed to parse proxy url, unsupported scheme "", must be http, https, or socks5'],
    [{ tlsClientConfig: { certData: Buffer.from('-----BEGIN X').toString('base64') } }, 'go together'],
    [{ tlsClientConfig: { insecure: 'yes' } }, 'config.tlsClientConfig.insecure is neither true nor false'],
    [{ username: 'u', bearerToken: 't' }, 'but not both'],
  ])('refuses %j', (config, message) => {
    expect(() => read(config)).toThrow(message);
  });

  it('has little to say about the cluster around this process', () => {
    const account = { type: 'token-file', file: '/run/token' } as const;
    const trust = { insecure: false, authority: { file: '/run/ca' } };
    const inCluster = { server: 'https://10.0.0.1', credentials: { identity: account, trust, disableCompression: false } };
    const config = { tlsClientConfig: { insecure: true }, awsAuthConfig: { clusterName: 'c' }, proxyUrl: 'http://p' };
    expect(readInClusterConfig({ inCluster, config })).toBe(inCluster);
    const identity = { type: 'token', token: 't' };
    expect(readInClusterConfig({ inCluster, config: { ...config, bearerToken: 't' } })).toEqual({
      ...inCluster,
      credentials: { ...inCluster.credentials, identity },
    });
  });
});
