import { expect, it } from 'vitest';
import { createRemoteBases } from './remote-bases.ts';
import type { RemoteBasesOptions } from './remote-bases.ts';

const never = (): never => {
  throw new Error('it was asked for');
};
const options: RemoteBasesOptions = {
  trees: { list: never, keepWithin: never, acquire: never, discard: never },
  remoteValues: { read: never },
  dependencies: { urlOf: () => undefined, isPermitted: () => true },
  openRepository: never,
};
const request = {
  source: { repoURL: 'https://git.example.com/own' },
  revision: 'a'.repeat(40),
  application: { name: 'web', namespace: 'argocd', project: 'signed' },
  destinationNamespace: '',
};

it('takes nothing from elsewhere into what must be signed', async () => {
  const integrity = { mode: 'head', keys: ['K'], keyring: new Map<string, string>() } as const;
  const remotes = createRemoteBases(options, { ...request, integrity });
  const failure = 'the project demands signatures, which what a kustomization takes from elsewhere has not: https://git.example.com/';
  await expect(remotes.open('https://bob:pw@git.example.com/acme/shop//x')).rejects.toThrow(failure);
  await expect(remotes.read('https://git.example.com/x.yaml')).rejects.toThrow(failure);
  await expect(createRemoteBases(options, request).open('https://git.example.com/acme/shop')).rejects.toThrow('it was asked for');
});
