import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFairway } from '../support/fairway.ts';
import type { Fairway } from '../support/fairway.ts';
import { createKubectlUser } from '../support/kubectl.ts';
import type { KubectlUser } from '../support/kubectl.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const CONFIG_MAP = (value: string, name = 'settings') => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, labels: {app: demo}}
data: {color: ${value}}
`;

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {note: first}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: "example/web:1"}]}
`;

const OWNER_AND_OWNED = (owner: string, uid: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${owner}-child, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: ${owner}, uid: ${uid}, blockOwnerDeletion: true}]}
`;

const WIDGETS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    - {name: Color, type: string, jsonPath: .spec.color, priority: 1}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties: {size: {type: integer, minimum: 1}, color: {type: string, default: blue}}
          status: {type: object, properties: {size: {type: integer}}}
`;

const WIDGET = (size: string) => `apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec: {size: ${size}}
`;

const APPLICATION = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: guestbook, namespace: default}
spec:
  project: default
  source: {repoURL: "https://example.com/repo.git", path: guestbook}
  destination: {server: "https://kubernetes.default.svc", namespace: guestbook}
`;

describeWithTool('kubectl', 'kubectl', (kubectl) => {
  describe.each(['off', 'on'] as const)('with TLS %s', (tls) => {
    let fairway: Fairway | undefined;
    let user: KubectlUser | undefined;
    const run = async (...args: readonly string[]) => {
      if (user === undefined) throw new Error('asked too early');
      return user.run(...args);
    };
    /** What a command that succeeds prints. */
    const output = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(...args);
      expect(stderr.replace(/^Warning: .*\n/gm, '')).toBe('');
      expect(code).toBe(0);
      return stdout;
    };
    const refusal = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr } = await run(...args);
      expect(code).toBe(1);
      return stderr;
    };
    const file = async (content: string): Promise<string> => (await user?.write('object.yaml', content)) ?? '';

    beforeAll(async () => {
      fairway = await startFairway({ tls });
      user = await createKubectlUser(kubectl(), fairway);
    });
    afterAll(async () => {
      await user?.[Symbol.asyncDispose]();
      await fairway?.stop();
    });

    it('learns the version and that it is not a real cluster', async () => {
      expect(await output('version')).toMatch(/^Server Version: v1\.36\.3\+fairway-embedded$/m);
      expect(await output('get', '--raw', '/readyz')).toBe('ok');
    });

    it('finds every kind', async () => {
      const resources = await output('api-resources', '--no-headers');
      expect(resources).toMatch(/^pods +po +v1 +true +Pod$/m);
      expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
      expect(resources).toMatch(/^applications +app,apps +argoproj.io\/v1alpha1 +true +Application$/m);
      expect(resources).toMatch(/^applicationsets +appset,appsets +argoproj.io\/v1alpha1 +true +ApplicationSet$/m);
      expect(await output('api-versions')).toContain('apiextensions.k8s.io/v1\n');
      expect(await output('explain', 'deployment.spec.replicas')).toMatch(/FIELD: replicas <integer>/);
      expect(await output('explain', 'app.spec.destination')).toMatch(/^GROUP: +argoproj.io$/m);
    });

    it('creates, reads, changes and deletes an object', async () => {
      expect(await output('create', '-f', await file(CONFIG_MAP('red')))).toBe('configmap/settings created\n');
      expect(await refusal('create', '-f', await file(CONFIG_MAP('red')))).toMatch(
        /\(AlreadyExists\).*configmaps "settings" already exists/,
      );
      expect(await output('get', 'configmap', 'settings', '-o', 'jsonpath={.data.color}')).toBe('red');
      expect(await output('get', 'cm', '-l', 'app=demo')).toMatch(/^NAME +DATA +AGE\nsettings +1 +\d+s\n$/);
      expect(await output('get', 'cm', '--field-selector', 'metadata.name=settings', '-o', 'name')).toBe('configmap/settings\n');
      expect(await output('get', 'cm', 'settings', '-o', 'yaml')).toMatch(/^kind: ConfigMap$/m);
      expect(await output('label', 'cm', 'settings', 'tier=front')).toBe('configmap/settings labeled\n');
      expect(await output('annotate', 'cm', 'settings', 'note=hello')).toBe('configmap/settings annotated\n');
      expect(await output('get', 'cm', 'settings', '--show-labels', '--no-headers')).toMatch(/app=demo,tier=front\n$/);
      expect(await output('delete', 'cm', 'settings')).toBe('configmap "settings" deleted from default namespace\n');
      expect(await refusal('get', 'cm', 'settings')).toBe('Error from server (NotFound): configmaps "settings" not found\n');
    });

    it('creates by command, which the client sends as protobuf', async () => {
      expect(await output('create', 'namespace', 'made')).toBe('namespace/made created\n');
      const create = (...args: readonly string[]) => output('create', '-n', 'made', ...args);
      expect(await create('configmap', 'a', '--from-literal=x=y')).toBe('configmap/a created\n');
      expect(await create('secret', 'generic', 's', '--from-literal=x=y')).toBe('secret/s created\n');
      expect(await create('deployment', 'web', '--image=example/web:1', '--replicas=0', '--port=80')).toBe('deployment.apps/web created\n');
      expect(await create('service', 'clusterip', 'web', '--tcp=80:http')).toBe('service/web created\n');
      expect(await create('pdb', 'p', '--selector=app=web', '--min-available=50%')).toBe('poddisruptionbudget.policy/p created\n');
      expect(await create('quota', 'q', '--hard=cpu=500m')).toBe('resourcequota/q created\n');
      const read = (kind: string, path: string) => output('get', '-n', 'made', kind, '-o', `jsonpath=${path}`);
      expect(await read('configmap/a', '{.data.x}')).toBe('y');
      expect(await read('secret/s', '{.data.x}')).toBe('eQ==');
      const container = '{.spec.template.spec.containers[0]';
      expect(await read('deploy/web', `{.spec.replicas} ${container}.image} ${container}.ports[0].containerPort}`)).toBe(
        '0 example/web:1 80',
      );
      expect(await read('service/web', '{.spec.ports[0].port} {.spec.ports[0].targetPort}')).toBe('80 http');
      expect(await read('pdb/p', '{.spec.minAvailable}')).toBe('50%');
      expect(await read('quota/q', '{.spec.hard.cpu}')).toBe('500m');
      expect(await output('auth', 'can-i', 'create', 'pods')).toBe('yes\n');
      expect(await output('delete', 'namespace', 'made', '--timeout=10s')).toBe('namespace "made" deleted\n');
    });

    it('applies on the client side', async () => {
      const path = await file(CONFIG_MAP('red', 'applied'));
      expect(await output('apply', '-f', path)).toBe('configmap/applied created\n');
      expect(await output('apply', '-f', path)).toBe('configmap/applied unchanged\n');
      expect(await output('apply', '-f', await file(CONFIG_MAP('green', 'applied')))).toBe('configmap/applied configured\n');
      expect(await output('apply', '--dry-run=server', '-f', await file(CONFIG_MAP('blue', 'applied')))).toMatch(/\(server dry run\)\n$/);
      expect(await output('get', 'cm', 'applied', '-o', 'jsonpath={.data.color}')).toBe('green');
    });

    it('applies on the server side, and is told of conflicts', async () => {
      const apply = (manager: string, ...more: readonly string[]) => ['apply', '--server-side', '--field-manager', manager, ...more, '-f'];
      expect(await output(...apply('first'), await file(CONFIG_MAP('red', 'shared')))).toBe('configmap/shared serverside-applied\n');
      const conflict = await refusal(...apply('second'), await file(CONFIG_MAP('green', 'shared')));
      expect(conflict).toContain('Apply failed with 1 conflict: conflict with "first": .data.color');
      expect(await output(...apply('second', '--force-conflicts'), await file(CONFIG_MAP('green', 'shared')))).toBe(
        'configmap/shared serverside-applied\n',
      );
      expect(await output('get', 'cm', 'shared', '-o', 'jsonpath={.data.color}')).toBe('green');
    });

    it('patches in every way', async () => {
      await output('create', '-f', await file(DEPLOYMENT));
      expect(await output('get', 'deploy', 'web', '-o', 'wide')).toMatch(
        /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\nweb +\d\/2 .* main +example\/web:1 +app=web\n$/,
      );
      const env = '{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"b"}]}]}}}}';
      expect(await output('patch', 'deploy', 'web', '-p', env)).toBe('deployment.apps/web patched\n');
      expect(await output('patch', 'deploy', 'web', '--type=json', '-p', '[{"op":"replace","path":"/spec/replicas","value":3}]')).toBe(
        'deployment.apps/web patched\n',
      );
      expect(await output('patch', 'deploy', 'web', '--type=merge', '-p', '{"metadata":{"annotations":{"note":null,"more":"yes"}}}')).toBe(
        'deployment.apps/web patched\n',
      );
      const paths = '{.spec.template.spec.containers[0].image} {.spec.replicas} {.metadata.annotations.note}{.metadata.annotations.more}';
      expect(await output('get', 'deploy', 'web', '-o', `jsonpath=${paths}`)).toBe('example/web:1 3 yes');
      expect(await refusal('patch', 'deploy', 'web', '--type=merge', '-p', '{"spec":{"replicas":-1}}')).toMatch(
        /^The Deployment "web" is invalid: spec.replicas/,
      );
      expect(await output('scale', 'deploy', 'web', '--replicas=5')).toBe('deployment.apps/web scaled\n');
      expect(await output('get', 'deploy', 'web', '-o', 'jsonpath={.spec.replicas}')).toBe('5');
      expect(await output('delete', 'deploy', 'web')).toBe('deployment.apps "web" deleted from default namespace\n');
    });

    it('deletes with or without the dependents', async () => {
      const seed = async (name: string): Promise<void> => {
        await output('create', '-f', await file(CONFIG_MAP('red', name)));
        const uid = await output('get', 'cm', name, '-o', 'jsonpath={.metadata.uid}');
        await output('create', '-f', await file(OWNER_AND_OWNED(name, uid)));
      };
      for (const cascade of ['background', 'foreground'] as const) {
        await seed(cascade);
        await output('delete', 'cm', cascade, `--cascade=${cascade}`);
        expect((await run('wait', '--for=delete', `cm/${cascade}-child`, '--timeout=10s')).code).toBe(0);
        expect(await refusal('get', 'cm', `${cascade}-child`)).toContain('not found');
      }
      await seed('orphan');
      await output('delete', 'cm', 'orphan', '--cascade=orphan');
      expect(await output('get', 'cm', 'orphan-child', '-o', 'jsonpath={.metadata.ownerReferences}')).toBe('');
    });

    it('watches', async () => {
      const watching = run('get', 'cm', '--watch-only', '--output-watch-events', '--no-headers', '--request-timeout=3s');
      await output('create', '-f', await file(CONFIG_MAP('red', 'watched')));
      await output('label', 'cm', 'watched', 'seen=yes');
      await output('delete', 'cm', 'watched');
      const { stdout } = await watching;
      expect(stdout).toMatch(/^ADDED +watched +1 +\d+s\nMODIFIED +watched +1 +\d+s\nDELETED +watched +1 +\d+s\n/m);
    });

    it('lives with a kind of its own', async () => {
      expect(await output('apply', '-f', await file(WIDGETS))).toBe(
        'customresourcedefinition.apiextensions.k8s.io/widgets.example.com created\n',
      );
      expect(await output('wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=10s')).toContain('condition met');
      expect(await refusal('create', '-f', await file(WIDGET('0')))).toMatch(
        /spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1/,
      );
      expect(await refusal('create', '-f', await file(WIDGET('2, shape: round')))).toContain(
        'strict decoding error: unknown field "spec.shape"',
      );
      expect(await output('create', '-f', await file(WIDGET('2')))).toBe('widget.example.com/one created\n');
      expect(await output('get', 'wd')).toMatch(/^NAME +SIZE\none +2\n$/);
      expect(await output('get', 'wd', '-o', 'wide')).toMatch(/^NAME +SIZE +COLOR\none +2 +blue\n$/);
      expect(await output('scale', 'wd', 'one', '--replicas=4')).toBe('widget.example.com/one scaled\n');
      expect(
        await output('patch', 'wd', 'one', '--subresource=status', '--type=merge', '-p', '{"status":{"size":4},"spec":{"size":9}}'),
      ).toContain('patched');
      expect(await output('get', 'wd', 'one', '-o', 'jsonpath={.spec.size} {.status.size} {.metadata.generation}')).toBe('4 4 2');
      expect(await output('explain', 'widget.spec.size')).toContain('FIELD: size <integer>');
      expect(await output('delete', 'crd', 'widgets.example.com', '--timeout=10s')).toContain('deleted');
      // In the first words where kubectl asks anew which kinds there are, in the others where it remembers.
      expect(await refusal('get', 'wd')).toMatch(/the server (?:doesn't have a resource type|could not find the requested resource)/);
    });

    it('applies a list, and refuses one with a field that is not known', async () => {
      const items = [
        CONFIG_MAP('red', 'listed'),
        DEPLOYMENT.replace('name: web', 'name: listed'),
        APPLICATION.replace('guestbook', 'listed'),
      ];
      const list = `apiVersion: v1\nkind: List\nitems:\n${items.map((item) => `- ${item.trim().replaceAll('\n', '\n  ')}\n`).join('')}`;
      expect(await output('apply', '-f', await file(list))).toBe(
        'configmap/listed created\ndeployment.apps/listed created\napplication.argoproj.io/listed created\n',
      );
      const printed = await output('get', 'cm/listed', 'deploy/listed', '-o', 'yaml');
      expect(printed).toMatch(/^kind: List$/m);
      expect(await output('apply', '-f', await file(printed))).toMatch(/^configmap\/listed \w+\ndeployment.apps\/listed \w+\n$/);
      expect(await refusal('apply', '-f', await file(list.replace('replicas:', 'replicaz:')))).toContain(
        'unknown field "replicaz" in io.k8s.api.apps.v1.DeploymentSpec',
      );
      expect(await output('delete', '-f', await file(list))).toContain('"listed" deleted');
    });

    it('keeps applications', async () => {
      // Outside of the namespace of the control plane nobody but us writes to them.
      expect(await output('apply', '-f', await file(APPLICATION))).toBe('application.argoproj.io/guestbook created\n');
      const status = '{"status":{"sync":{"status":"Synced","revision":"abc"},"health":{"status":"Healthy"}}}';
      expect(await output('patch', 'app', 'guestbook', '-n', 'default', '--type=merge', '-p', status)).toBe(
        'application.argoproj.io/guestbook patched\n',
      );
      expect(await output('get', 'app', '-n', 'default')).toMatch(/^NAME +SYNC STATUS +HEALTH STATUS\nguestbook +Synced +Healthy\n$/);
      expect(await output('get', 'apps', '-n', 'default', '-o', 'wide')).toMatch(/REVISION +PROJECT\nguestbook .* abc +default\n$/);
      expect(await refusal('patch', 'app', 'guestbook', '-n', 'default', '--type=merge', '-p', '{"spec":{"project":null}}')).toContain(
        'spec.project: Required value',
      );
      expect(await output('get', 'appproj,appset', '-A', '-o', 'name')).not.toContain('guestbook');
      expect(await output('delete', 'app', 'guestbook', '-n', 'default')).toContain('deleted');
    });

    it('is turned away without a good token', async () => {
      expect(await refusal('get', 'ns', '--server', `${fairway?.url ?? ''}/k8s`, '--token', 'x.y.z')).toMatch(
        /You must be logged in to the server/,
      );
    });
  });
});
