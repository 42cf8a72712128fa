/** Everything that a story about applications needs: the program, the stock clients, a repository, and a namespace to deploy to. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Application } from '../../src/model/index.ts';
import type { ArgocdUser } from './argocd.ts';
import type { Fairway } from './fairway.ts';
import type { GitRepository } from './git-repository.ts';
import type { CommandResult } from './run-command.ts';
import { waitUntil } from './wait-until.ts';

/** What differs between one home and another. */
export interface StageParts {
  readonly fairway: Fairway;
  readonly user: ArgocdUser;
  readonly kubectl: (...args: readonly string[]) => Promise<CommandResult>;
  /** Of the home. */
  readonly kubeconfig: string;
  readonly repository: GitRepository;
  /** Under which Fairway finds it. */
  readonly repositoryUrl: string;
  /** Of the control plane. */
  readonly controlNamespace: string;
  /** Where applications go. */
  readonly namespace: string;
  close(): Promise<void>;
}

export const IN_CLUSTER = 'https://kubernetes.default.svc';

export class Stage {
  readonly parts: StageParts;

  constructor(parts: StageParts) {
    this.parts = parts;
  }

  async signIn(): Promise<void> {
    const { fairway } = this.parts;
    await this.argocd('login', fairway.address, '--plaintext', '--username', 'admin', '--password', fairway.adminPassword);
  }

  /** Runs the stock client; it must succeed. */
  async argocd(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.parts.user.run(...args);
    expect({ args, code, said: code === 0 ? '' : `${stdout}${stderr}` }).toEqual({ args, code: 0, said: '' });
    return stdout;
  }

  /** Runs the stock client, which must fail like this; returns what it said. */
  async argocdFails(code: number, ...args: readonly string[]): Promise<string> {
    const result = await this.parts.user.run(...args);
    expect({ args, code: result.code, said: result.code === code ? '' : `${result.stdout}${result.stderr}` }).toEqual({
      args,
      code,
      said: '',
    });
    // What the client reports is a line of JSON.
    return `${result.stdout}${result.stderr}`.replaceAll(String.raw`\"`, '"');
  }

  create(name: string, path: string, ...more: readonly string[]): Promise<string> {
    return this.argocd(...this.createArguments(name, path, ...more));
  }

  createArguments(name: string, path: string, ...more: readonly string[]): readonly string[] {
    const { repositoryUrl, namespace } = this.parts;
    const destination = ['--dest-server', IN_CLUSTER, '--dest-namespace', namespace];
    return ['app', 'create', name, '--repo', repositoryUrl, '--path', path, ...destination, ...more];
  }

  /** An application as the stock client shows it. */
  async get(name: string, ...more: readonly string[]): Promise<Application> {
    return JSON.parse(await this.argocd('app', 'get', name, '-o', 'json', ...more)) as Application;
  }

  /** Sync and health, as `Synced Healthy`. */
  async state(name: string, ...more: readonly string[]): Promise<string> {
    const { status } = await this.get(name, ...more);
    return `${status?.sync?.status} ${status?.health?.status}`;
  }

  async waitForState(name: string, state: string): Promise<void> {
    let seen = '';
    await waitUntil(async () => {
      seen = await this.state(name);
      return seen === state;
    }).catch(() => expect(seen).toBe(state));
  }

  /** Live objects such as `deployment.apps/web`, of the namespace that applications go to. */
  async live(...kinds: readonly string[]): Promise<readonly string[]> {
    const listed = await this.kubectl('get', kinds.join(','), '--output', 'name');
    return listed
      .split('\n')
      .filter((line) => line !== '' && !/kube-root-ca\.crt|service\/kubernetes/.test(line))
      .toSorted();
  }

  async kubectl(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.parts.kubectl('--namespace', this.parts.namespace, ...args);
    expect({ args, code, said: code === 0 ? '' : stderr }).toEqual({ args, code: 0, said: '' });
    return stdout;
  }

  async apply(objects: readonly object[]): Promise<void> {
    const file = join(this.parts.fairway.dataDir, `apply-${performance.now()}.yaml`);
    await writeFile(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
    const { code, stderr } = await this.parts.kubectl('apply', '--filename', file);
    expect({ code, said: code === 0 ? '' : stderr }).toEqual({ code: 0, said: '' });
  }

  /** An Application as somebody would write it to a file. */
  application(name: string, path: string, spec: object = {}, finalizers: readonly string[] = []): object {
    const { repositoryUrl, namespace, controlNamespace } = this.parts;
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: controlNamespace, finalizers },
      spec: {
        project: 'default',
        source: { repoURL: repositoryUrl, path, targetRevision: 'HEAD' },
        destination: { server: IN_CLUSTER, namespace },
        ...spec,
      },
    };
  }
}

export function deployment(name: string, { replicas = 1, image = 'example.com/web:1' } = {}): string {
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 80 }] }] } },
    },
  });
}

export function service(name: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port: 80, targetPort: 80 }], selector: { app: name } },
  });
}
