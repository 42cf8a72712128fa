import { expect, it } from 'vitest';
import { applicationType, appProjectType } from '../../src/model/index.ts';
import { destination, openApplicationPlane } from '../support/application-plane.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';

it('an API that knows only one user does nothing in the name of another, rather than with all its rights', async () => {
  const repository = await createGitRepository({ 'app/a.json': configMap('a') });
  const plane = await openApplicationPlane({ settings: { 'application.sync.impersonation.enabled': 'true' } });
  try {
    const destinationServiceAccounts = [{ server: '*', namespace: '*', defaultServiceAccount: 'deployer' }];
    const body = { spec: { destinationServiceAccounts } };
    await plane.home.api.patch(appProjectType, { namespace: 'argocd', name: 'default' }, { type: 'merge', body });
    plane.startController();
    await plane.create('web', { project: 'default', source: { repoURL: repository.url, path: 'app' }, destination });
    const operation = { sync: {}, initiatedBy: { username: 'me' } };
    await plane.home.api.patch(applicationType, { namespace: 'argocd', name: 'web' }, { type: 'merge', body: { operation } });
    const { status } = await plane.waitFor('web', ({ operation: left, status: seen }) => !left && seen?.operationState !== undefined);
    expect(status?.operationState).toMatchObject({
      phase: 'Error',
      message: 'this API cannot be used as system:serviceaccount:default:deployer',
    });
    await expect(plane.home.embedded.get(kinds.configMap, { namespace: 'default', name: 'a' })).rejects.toThrow('not found');
  } finally {
    await plane.close();
    await repository.remove();
  }
});
