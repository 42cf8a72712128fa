import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { runFairway, startFairway, type FairwayResult } from '../support/fairway.ts';
import { kinds } from '../support/kinds.ts';
import { runCommand } from '../support/run-command.ts';
import { BUILD_LIMIT_MS, ensureTool } from '../support/tools/ensure-tool.ts';

const application = `---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web
  finalizers: [resources-finalizer.argocd.argoproj.io]
  annotations: {note: "yes"}
spec:
  project: team
  source: {repoURL: "https://git.example.com/web", path: ., targetRevision: "1.10"}
  destination: {server: "https://nowhere.example.com", namespace: web}
---
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: team}
spec: {sourceRepos: ["*"], destinations: [{server: "*", namespace: "*"}]}
---
apiVersion: v1
kind: Secret
metadata: {name: repo, labels: {argocd.argoproj.io/secret-type: repository}}
stringData: {url: "https://git.example.com/web", password: planted-password}
`;

describeWithCluster('An installation that moves', (cluster) => {
  let folder: string;
  let namespace: string;
  let kubectl: string;
  beforeAll(async () => {
    kubectl = await ensureTool('kubectl');
  }, BUILD_LIMIT_MS);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairway-transfer-'));
    namespace = await testNamespace(cluster());
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const inFolder = (name: string) => ['--data', join(folder, name)];
  const onCluster = () => ['--kubeconfig', cluster().kubeconfig(), '--namespace', namespace];
  const ok = async (result: Promise<FairwayResult>): Promise<string> => {
    const { code, stdout, stderr } = await result;
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  async function save(text: string): Promise<string> {
    const file = join(folder, 'home.yaml');
    await writeFile(file, text);
    return file;
  }

  it('from the embedded API to a cluster and back is the same, and signs in with the same password', { timeout: 120_000 }, async () => {
    const dataDir = join(folder, 'first');
    const first = await startFairway({ dataDir });
    try {
      const kubeconfig = join(dataDir, 'kubeconfig');
      const file = await save(application);
      const applied = await runCommand(kubectl, ['--kubeconfig', kubeconfig, '--namespace', 'argocd', 'apply', '--filename', file]);
      expect([applied.code, applied.stderr]).toEqual([0, '']);
      const readStatus = ['get', 'application', 'web', '--output', 'jsonpath={.status.conditions[0].type}'];
      const isLookedAt = async () =>
        (await runCommand(kubectl, ['--kubeconfig', kubeconfig, '--namespace', 'argocd', ...readStatus])).stdout;
      await expect.poll(isLookedAt, { timeout: 30_000 }).not.toBe('');
      // Through the running server, and then from the folder that it left.
      const running = await ok(runFairway(['export', '--secrets', ...inFolder('first')]));
      await first.stop();
      expect(await ok(runFairway(['export', '--secrets', ...inFolder('first')]))).toBe(running);
    } finally {
      await first.stop();
    }
    const plain = await ok(runFairway(['export', ...inFolder('first')]));
    expect(plain).toContain('kind: Application\n');
    expect(plain).not.toContain('kind: Secret');
    expect(plain).not.toContain('planted');

    const whole = await ok(runFairway(['export', '--secrets', ...inFolder('first')]));
    const imported = await ok(runFairway(['import', await save(whole), ...onCluster()]));
    expect(imported).toContain('Application web created\n');
    expect(await ok(runFairway(['export', '--secrets', ...onCluster()]))).toBe(whole);
    const second = await startFairway({ args: onCluster(), env: { FAIRWAY_ADMIN_PASSWORD: 'another password' } });
    try {
      const response = await fetch(`${second.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password: first.adminPassword }),
      });
      expect(response.status).toBe(200);
    } finally {
      await second.stop();
    }

    const fromCluster = await ok(runFairway(['export', '--secrets', ...onCluster()]));
    await ok(runFairway(['import', await save(fromCluster), ...inFolder('third')]));
    expect(await ok(runFairway(['export', '--secrets', ...inFolder('third')]))).toBe(fromCluster);
  });

  it('can be tried without effect, and says what it cannot take', { timeout: 60_000 }, async () => {
    const api = await connectTo(cluster());
    try {
      await ok(runFairway(['import', await save(application.split('---\n').at(-2) ?? ''), '--dry-run', ...onCluster()]));
      expect((await api.list(kinds.secret, { namespace })).items).toEqual([]);
    } finally {
      await api.close();
    }
    const stranger = await save('apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n');
    const refused = await runFairway(['import', stranger, ...inFolder('new')]);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `fairway: cannot import ${stranger}: Pod x (v1) is no part of an installation\n`,
    });
    expect((await runFairway(['import', join(folder, 'none'), ...inFolder('new')])).stderr).toContain('it does not exist');
    expect(await readdir(folder)).toEqual(['home.yaml']);
  });
});
