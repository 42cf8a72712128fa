import { describe, expect, it } from 'vitest';
import { loadInCluster } from './in-cluster.ts';

describe('a process outside any pod', () => {
  it('has no service account', () => {
    const environment = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    expect(() => loadInCluster({ environment: {} })).toThrow('this process does not run in a pod with a service account');
    expect(() => loadInCluster({ environment, folder: '/nowhere' })).toThrow('does not run in a pod');
  });
});
