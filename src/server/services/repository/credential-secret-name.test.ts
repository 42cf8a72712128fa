import { expect, it } from 'vitest';
import { credentialSecretName } from './credential-secret-name.ts';

it('names Secrets as they have always been named', () => {
  const url = 'https://git.example.com/acme/shop.git';
  expect(credentialSecretName('repository', url, '')).toBe('repo-3911619475');
  expect(credentialSecretName('repository', url, 'team-a')).toBe('repo-1195743164');
  expect(credentialSecretName('repo-creds', 'https://git.example.com/acme', '')).toBe('creds-2462561872');
  expect(credentialSecretName('repository-write', url, '')).toBe('repo-write-3911619475');
});
