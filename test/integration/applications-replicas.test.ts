import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import type { ResourceType } from '../../src/kube/index.ts';
import { applicationType, type Application } from '../../src/model/index.ts';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import { waitUntil } from '../support/wait-until.ts';

const leases: ResourceType = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true };
const configMaps: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

interface Lease {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
}

describeWithCluster('Two processes on one home', (cluster) => {
  it('share the work: one looks after applications, and the other goes on when it leaves', { timeout: 90_000 }, async () => {
    const [control, namespace] = [await testNamespace(cluster()), await testNamespace(cluster())];
    const api = await connectTo(cluster());
    const repository = await createGitRepository({ 'app/a.json': configMap('a', { round: '1' }) });
    const server = await startGitHttpServer({ root: dirname(repository.folder) });
    const args = ['--kubeconfig', cluster().kubeconfig(), '--namespace', control];
    const processes: Fairway[] = [];
    const leads = (fairway: Fairway): boolean => fairway.output().includes('This process leads');
    // A name of its own: what it leaves in the cluster belongs to no other test's application.
    const ref = { namespace: control, name: control };
    const isSyncedTo = async (revision: string): Promise<boolean> => {
      const { status } = (await api.get(applicationType, ref)) as unknown as Application;
      return status?.sync?.status === 'Synced' && status.sync.revision === revision;
    };
    try {
      processes.push(await startFairway({ args }));
      await waitUntil(() => processes.some(leads));
      processes.push(await startFairway({ args }));
      const source = { repoURL: `${server.url}/${basename(repository.folder)}`, path: 'app' };
      const spec = {
        project: 'default',
        source,
        destination: { server: 'https://kubernetes.default.svc', namespace },
        syncPolicy: { automated: {} },
      };
      await api.create(applicationType, { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: ref, spec });
      const first = await repository.git('rev-parse', 'HEAD');
      await waitUntil(() => isSyncedTo(first));
      expect(processes.map(leads)).toEqual([true, false]);
      await processes[0]?.stop();
      await waitUntil(() => leads(processes[1] as Fairway));
      const second = await repository.commit({ 'app/a.json': configMap('a', { round: '2' }) });
      const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
      await api.patch(applicationType, ref, { type: 'merge', body });
      await waitUntil(() => isSyncedTo(second));
      expect(await api.get(configMaps, { namespace, name: 'a' })).toMatchObject({ data: { round: '2' } });
      const { status } = (await api.get(applicationType, ref)) as unknown as Application;
      expect(status?.history).toHaveLength(2);
      // One that is killed gives nothing back. Who is on the same machine sees that it has ended, and does not wait for its lease to run out.
      const lease = async () => (await api.get(leases, { namespace: control, name: 'fairway-controller' }))['spec'] as Lease;
      const { holderIdentity, renewTime } = await lease();
      process.kill((processes[1] as Fairway).pid, 'SIGKILL');
      processes.push(await startFairway({ args }));
      await waitUntil(() => leads(processes[2] as Fairway));
      const next = await lease();
      expect(next.holderIdentity).not.toBe(holderIdentity);
      expect(Date.parse(next.acquireTime) - Date.parse(renewTime)).toBeLessThan(next.leaseDurationSeconds * 1000);
      await processes[2]?.stop();
      expect((await lease()).holderIdentity).toBe('');
    } finally {
      await Promise.all(processes.map((fairway) => fairway.stop()));
      await server.close();
      await repository.remove();
      await api.close();
    }
  });
});
