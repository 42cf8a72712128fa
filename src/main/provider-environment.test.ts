import { afterEach, expect, it, vi } from 'vitest';
import { readProviderEnvironment, readProviderProxies } from './provider-environment.ts';

afterEach(() => vi.unstubAllEnvs());

it('a proxy for hosts of repositories alone stands before that of everybody', () => {
  for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined);
  vi.stubEnv('HTTPS_PROXY', 'http://all.example.com');
  vi.stubEnv('no_proxy', 'all.internal');
  expect(readProviderProxies()).toEqual({ HTTPS_PROXY: 'http://all.example.com', no_proxy: 'all.internal' });
  vi.stubEnv('ARGOCD_APPLICATIONSET_CONTROLLER_SCM_PROXY_URL', 'http://own.example.com');
  expect(readProviderProxies()).toEqual({ http_proxy: 'http://own.example.com', https_proxy: 'http://own.example.com' });
  vi.stubEnv('ARGOCD_APPLICATIONSET_CONTROLLER_SCM_NO_PROXY', 'own.internal');
  expect(readProviderProxies()).toMatchObject({ no_proxy: 'own.internal' });
});

it('hosts of repositories are told nothing of the environment that is not about them', () => {
  vi.stubEnv('FAIRWAY_ADMIN_PASSWORD', 'secret');
  vi.stubEnv('AWS_PROFILE', 'work');
  const environment = readProviderEnvironment();
  expect(environment['AWS_PROFILE']).toBe('work');
  expect(Object.values(environment)).not.toContain('secret');
});
