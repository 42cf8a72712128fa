import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One repository with many applications, as companies have them: most are plain manifests, some are overlays, a few are charts. */
export interface Monorepo {
  readonly folder: string;
  /** Paths of the applications. */
  readonly paths: readonly string[];
  /** Changes some of the applications in one commit. */
  touch(paths: readonly string[]): Promise<void>;
}

export async function createMonorepo(applications: number): Promise<Monorepo> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-monorepo-'));
  const git = async (...args: string[]): Promise<void> => {
    const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', '-c', 'gc.auto=0'];
    await run('git', [...identity, ...args], { cwd: folder, maxBuffer: 64 << 20 });
  };
  const write = async (path: string, content: string): Promise<void> => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  await git('init', '--quiet', '--initial-branch=main');
  await write('base/kustomization.yaml', 'resources: [deployment.yaml, service.yaml]\n');
  await write('base/deployment.yaml', deployment('base', 1));
  await write('base/service.yaml', service('base'));
  const paths: string[] = [];
  for (let index = 0; index < applications; index += 1) {
    const path = `apps/${kindOf(index)}-${String(index).padStart(4, '0')}`;
    paths.push(path);
    for (const [name, content] of Object.entries(filesOf(index, 1))) await write(`${path}/${name}`, content);
  }
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Begin');
  let version = 1;
  return {
    folder,
    paths,
    async touch(touched) {
      version += 1;
      for (const path of touched)
        for (const [name, content] of Object.entries(filesOf(paths.indexOf(path), version))) await write(`${path}/${name}`, content);
      await git('commit', '--quiet', '--all', '--message', `Change ${touched.length}`);
    },
  };
}

function kindOf(index: number): 'plain' | 'overlay' | 'chart' {
  const share = index % 10;
  if (share === 9) return 'chart';
  return share >= 6 ? 'overlay' : 'plain';
}

function filesOf(index: number, version: number): Record<string, string> {
  const name = `app-${index}`;
  switch (kindOf(index)) {
    case 'plain':
      return { 'deployment.yaml': deployment(name, version), 'service.yaml': service(name), 'settings.yaml': settings(name, version) };
    case 'overlay':
      return {
        'kustomization.yaml': `resources: [../../base, settings.yaml]\nnamePrefix: ${name}-\n`,
        'settings.yaml': settings('settings', version),
      };
    case 'chart':
      return {
        'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.${version}\n`,
        'values.yaml': `version: ${version}\nreplicas: 2\n`,
        'templates/deployment.yaml': deployment('{{ .Release.Name }}', '{{ .Values.version }}'),
        'templates/service.yaml': service('{{ .Release.Name }}'),
      };
  }
}

function deployment(name: string, version: number | string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: "${name}", labels: {app: "${name}"}}
spec:
  replicas: 2
  selector: {matchLabels: {app: "${name}"}}
  template:
    metadata: {labels: {app: "${name}"}}
    spec:
      containers:
        - name: main
          image: registry.example.com/main:${version}
          ports: [{containerPort: 8080}]
          resources: {requests: {cpu: 100m, memory: 64Mi}}
`;
}

function service(name: string): string {
  return `apiVersion: v1\nkind: Service\nmetadata: {name: "${name}"}\nspec:\n  selector: {app: "${name}"}\n  ports: [{port: 80, targetPort: 8080}]\n`;
}

function settings(name: string, version: number): string {
  const lines = Array.from({ length: 20 }, (_, index) => `  key-${index}: "value ${index} of version ${version}"\n`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "${name}"}\ndata:\n${lines.join('')}`;
}
