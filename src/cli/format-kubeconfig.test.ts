import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatKubeconfig } from './format-kubeconfig.ts';

const token = 'head.body.sig-nature_1';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: Record<string, string> }];
  readonly users: readonly [{ readonly user: Record<string, string> }];
  readonly contexts: readonly [{ readonly name: string; readonly context: Record<string, string> }];
  readonly 'current-context': string;
}

const format = (url: string, certificate?: string) => parse(formatKubeconfig({ url, token, certificate })) as Kubeconfig;

describe('a kubeconfig', () => {
  it('has one context, which is the current one', () => {
    const { contexts, 'current-context': current } = format('https://127.0.0.1:8080');
    expect(contexts).toEqual([{ name: current, context: { cluster: 'fairway', user: 'admin', namespace: 'default' } }]);
  });

  it('over TLS keeps the token out of the address, and names what to trust', () => {
    const { clusters, users } = format('https://[::1]:8443', 'PEM');
    expect(clusters[0].cluster).toEqual({
      server: 'https://[::1]:8443/k8s',
      'certificate-authority-data': Buffer.from('PEM').toString('base64'),
    });
    expect(users[0].user).toEqual({ token });
    expect(format('https://fairway.example').clusters[0].cluster).toEqual({ server: 'https://fairway.example/k8s' });
  });

  it('without TLS has the token in the address, the one place from which kubectl sends it', () => {
    const { clusters, users } = format('http://127.0.0.1:8080');
    expect(clusters[0].cluster).toEqual({ server: `http://token:${token}@127.0.0.1:8080/k8s` });
    expect(users[0].user).toEqual({});
  });
});
