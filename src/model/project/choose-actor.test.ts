import { describe, expect, it } from 'vitest';
import { chooseActor, type ActorInput } from './choose-actor.ts';

const server = 'https://kubernetes.default.svc';
const input = (more: Partial<ActorInput> = {}): ActorInput => ({
  project: {
    metadata: { name: 'team' },
    spec: {
      destinationServiceAccounts: [
        { server: 'https://other', namespace: '*', defaultServiceAccount: 'wrong' },
        { server, namespace: 'prod-*', defaultServiceAccount: 'ops:deployer' },
        { server: '*', namespace: 'dev', defaultServiceAccount: 'developer' },
        { server: '*', namespace: '', defaultServiceAccount: 'nowhere' },
      ],
    },
  },
  cluster: { server, name: 'in-cluster' },
  namespace: 'dev',
  applicationNamespace: 'argocd',
  impersonationEnabled: true,
  impersonationEnforced: true,
  ...more,
});

describe('Objects of an application are written', () => {
  it.each([
    ['by ourselves where nobody asks for anything else', { impersonationEnabled: false }, { kind: 'self' }],
    ['by the account of the first entry that fits', {}, { kind: 'user', username: 'system:serviceaccount:dev:developer' }],
    [
      'by an account of another namespace where it is named',
      { namespace: 'prod-eu' },
      { kind: 'user', username: 'system:serviceaccount:ops:deployer' },
    ],
    [
      "by one of the application's namespace where the destination has none",
      { namespace: '' },
      { kind: 'user', username: 'system:serviceaccount:argocd:nowhere' },
    ],
    [
      'by nobody where no entry fits',
      { namespace: 'test' },
      { kind: 'none', message: `no matching service account found for destination server ${server} and namespace test` },
    ],
    ['by ourselves where no entry fits and that is allowed', { namespace: 'test', impersonationEnforced: false }, { kind: 'self' }],
  ] as const)('%s', (_title, more, expected) => {
    expect(chooseActor(input(more))).toEqual(expected);
  });
});
