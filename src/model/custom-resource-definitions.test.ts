import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { customResourceDefinitions, definitionsVersion } from './custom-resource-definitions.ts';

it('has another version for every content, so that a cluster is brought up to date and never back', () => {
  const content = hash('sha256', JSON.stringify(customResourceDefinitions().map((definition) => definition['spec']))).slice(0, 16);
  // When this fails because the definitions changed: raise `definitionsVersion`, then write both here.
  expect([definitionsVersion, content]).toEqual([1, 'c3f406a3222a7b45']);
});
