import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFairway } from '../support/fairway.ts';
import type { Fairway } from '../support/fairway.ts';
import { createKubectlUser } from '../support/kubectl.ts';
import type { KubectlUser } from '../support/kubectl.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const DEPLOYMENT = (image: string, replicas = 2) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: "example/web:${image}"}]}
`;

const JOB = `apiVersion: batch/v1
kind: Job
metadata: {name: work}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: "example/work:1", command: [sleep, "2"]}]
`;

const CONFIG_MAPS = (...names: readonly string[]) =>
  names.map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {set: pruned}}\ndata: {a: b}\n`).join('---\n');

/** What people do with workloads, by the stock kubectl. */
describeWithTool('kubectl', 'kubectl with workloads', (kubectl) => {
  let fairway: Fairway | undefined;
  let user: KubectlUser | undefined;
  const run = async (...args: readonly string[]) => {
    if (user === undefined) throw new Error('asked too early');
    return user.run(...args);
  };
  const output = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    expect(stderr.replace(/^Warning: .*\n/gm, '')).toBe('');
    expect(code).toBe(0);
    return stdout;
  };
  const file = async (content: string): Promise<string> => (await user?.write('object.yaml', content)) ?? '';

  beforeAll(async () => {
    fairway = await startFairway();
    user = await createKubectlUser(kubectl(), fairway);
  });
  afterAll(async () => {
    await user?.[Symbol.asyncDispose]();
    await fairway?.stop();
  });

  it('rolls out, shows the history and rolls back', async () => {
    await output('apply', '-f', await file(DEPLOYMENT('1')));
    expect(await output('rollout', 'status', 'deployment/web', '--timeout=20s')).toContain('deployment "web" successfully rolled out');
    await output('apply', '-f', await file(DEPLOYMENT('2')));
    expect(await output('rollout', 'status', 'deployment/web', '--timeout=20s')).toContain('successfully rolled out');
    expect(await output('rollout', 'history', 'deployment/web')).toMatch(/REVISION +CHANGE-CAUSE\n1 +<none>\n2 +<none>\n/);
    expect(await output('rollout', 'history', 'deployment/web', '--revision=1')).toContain('example/web:1');
    expect(await output('rollout', 'undo', 'deployment/web')).toBe('deployment.apps/web rolled back\n');
    await output('rollout', 'status', 'deployment/web', '--timeout=20s');
    expect(await output('get', 'deployment', 'web', '-o', 'jsonpath={.spec.template.spec.containers[0].image}')).toBe('example/web:1');
    expect(await output('rollout', 'history', 'deployment/web')).toMatch(/\n2 +<none>\n3 +<none>\n/);
    expect(await output('rollout', 'restart', 'deployment/web')).toBe('deployment.apps/web restarted\n');
    await output('rollout', 'status', 'deployment/web', '--timeout=20s');
  });

  it('scales and waits', async () => {
    expect(await output('scale', 'deployment/web', '--replicas=3', '--current-replicas=2')).toBe('deployment.apps/web scaled\n');
    expect(await output('wait', '--for=jsonpath={.status.readyReplicas}=3', 'deployment/web', '--timeout=20s')).toContain('condition met');
    expect(await output('wait', '--for=condition=Available', 'deployment/web', '--timeout=20s')).toContain('condition met');
    expect(await output('wait', '--for=condition=Ready', 'pod', '-l', 'app=web', '--timeout=20s')).toMatch(/(?:condition met\n){1}/);
    expect((await output('get', 'pods', '-l', 'app=web', '--no-headers')).trim().split('\n')).toHaveLength(3);
  });

  it('describes what there is and what has happened', async () => {
    const deployment = await output('describe', 'deployment', 'web');
    expect(deployment).toMatch(/^Replicas: +3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable$/m);
    expect(deployment).toMatch(/Normal +ScalingReplicaSet +\S+ +deployment-controller +Scaled up replica set web-\S+ from 0 to 2/);
    const [name = ''] = (await output('get', 'pods', '-l', 'app=web', '-o', 'name')).split('\n');
    const pod = await output('describe', name);
    expect(pod).toMatch(/^Node: +fairway-simulated/m);
    expect(pod).toMatch(/Normal +Scheduled +\S+ +default-scheduler +Successfully assigned default\/web-\S+ to fairway-simulated/);
    expect(pod).toMatch(/Normal +Started +\S+ +kubelet +(?:spec.containers\{main\}: )?Started container main/);
    expect(await output('events', '--for', 'deployment/web')).toContain('ScalingReplicaSet');
    expect(await output('describe', 'node', 'fairway-simulated')).toMatch(/^Name: +fairway-simulated$/m);
  });

  it('reads logs, and follows them to their end', async () => {
    const { stdout: lines } = await run('logs', 'deployment/web');
    expect(lines).toContain('[simulation] no container runs here');
    expect(await output('logs', '-l', 'app=web', '--tail=1', '--prefix')).toMatch(/^\[pod\/web-\S+\/main\] /);
    await output('apply', '-f', await file(JOB));
    await run('wait', '--for=jsonpath={.status.active}=1', 'job/work', '--timeout=20s');
    await run('wait', '--for=jsonpath={.status.phase}=Running', 'pod', '-l', 'job-name=work', '--timeout=20s');
    const followed = await output('logs', '-f', 'job/work', '--timestamps');
    expect(followed.trim().split('\n').length).toBeGreaterThanOrEqual(3);
    expect(await output('wait', '--for=condition=Complete', 'job/work', '--timeout=20s')).toContain('condition met');
    expect(await output('get', 'job', 'work', '--no-headers')).toMatch(/^work +Complete +1\/1 /);
  });

  it('watches until something is there', async () => {
    await output('run', 'slow', '--image=example/slow:1', '--annotations=simulate.fairway.dev/delay=6s', '--labels=app=slow');
    const { stdout } = await run('get', 'pods', '-l', 'app=slow', '-w', '--no-headers', '--request-timeout=9s');
    expect(stdout).toMatch(/^slow +0\/1 +ContainerCreating .*\n(?:.*\n)*slow +1\/1 +Running /m);
  });

  it('shows the difference between what is there and what is wanted', async () => {
    const { code, stdout } = await run('diff', '-f', await file(DEPLOYMENT('9', 3)));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^- +- image: example\/web:1$/m);
    expect(stdout).toMatch(/^\+ +- image: example\/web:9$/m);
    const same = await run('diff', '-f', await file(CONFIG_MAPS('none')), '--server-side');
    expect(same.stdout).toContain('+kind: ConfigMap');
    expect((await run('get', 'cm', 'none')).code).toBe(1);
  });

  it('applies a set and prunes what is no longer in it', async () => {
    const apply = async (...names: readonly string[]) =>
      output('apply', '--prune', '-l', 'set=pruned', '--prune-allowlist=core/v1/ConfigMap', '-f', await file(CONFIG_MAPS(...names)));
    expect(await apply('one', 'two')).toBe('configmap/one created\nconfigmap/two created\n');
    expect(await apply('two', 'three')).toBe('configmap/two unchanged\nconfigmap/three created\nconfigmap/one pruned\n');
    expect(await output('get', 'cm', '-l', 'set=pruned', '-o', 'name')).toBe('configmap/three\nconfigmap/two\n');
  });

  it('takes over on the server side what was applied on the client side', async () => {
    expect(await output('apply', '--server-side', '--force-conflicts', '-f', await file(DEPLOYMENT('1', 3)))).toBe(
      'deployment.apps/web serverside-applied\n',
    );
    const managers = await output(
      'get',
      'deployment',
      'web',
      '--show-managed-fields',
      '-o',
      'jsonpath={.metadata.managedFields[*].manager}',
    );
    expect(managers.split(' ')).toContain('kubectl');
    expect(managers).not.toContain('kubectl-client-side-apply');
  });

  it('is told who it is and what it may do', async () => {
    expect(await output('auth', 'whoami')).toMatch(/^Username +admin$/m);
    expect(await output('auth', 'can-i', 'delete', 'pods')).toBe('yes\n');
    expect(await output('auth', 'can-i', 'get', '/healthz')).toBe('yes\n');
    expect(await output('auth', 'can-i', '--list')).toMatch(/^\*\.\* +\[\] +\[\] +\[\*\]$/m);
    expect(await run('auth', 'can-i', 'get', 'pods', '--as=nobody')).toMatchObject({ code: 1, stdout: 'no\n' });
    expect((await run('get', 'pods', '--as=nobody')).stderr).toContain('user "nobody" may not use the Kubernetes API');
    expect(await output('auth', 'whoami', '--as=somebody', '--as-group=system:masters')).toMatch(/^Username +somebody$/m);
  });

  it('finds kinds, and explains them to the bottom', async () => {
    expect(await output('api-resources', '--api-group=apps', '-o', 'name', '--verbs=list,watch')).toContain('deployments.apps\n');
    expect(await output('api-resources', '--namespaced=false', '--no-headers')).toMatch(/^namespaces +ns +v1 +false +Namespace$/m);
    expect(await output('explain', 'job.spec.template.spec.containers', '--recursive')).toContain('imagePullPolicy');
    expect(await output('explain', 'applications.spec.source.helm')).toMatch(/valueFiles/);
  });
});
