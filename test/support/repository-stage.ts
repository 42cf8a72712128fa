/** What the repository service works with: a home of its own, and a real git server that asks for a password. */
import { basename, dirname } from 'node:path';
import type { Policy } from '../../src/access/index.ts';
import type { Clock } from '../../src/base/index.ts';
import { createObjectStore, type KubeApi, type ObjectStore } from '../../src/kube/index.ts';
import { applicationType, appProjectType } from '../../src/model/index.ts';
import { openSettings, prepareHome, type Settings } from '../../src/settings/index.ts';
import { findAccess, type Sources } from '../../src/sources/index.ts';
import { openEmbeddedHome, secret, type EmbeddedHome } from './embedded-home.ts';
import { startGitHttpServer, type GitHttpServer } from './git-http-server.ts';
import { configMap, createGitRepository } from './git-repository.ts';
import { kinds } from './kinds.ts';
import { openTestSources } from './sources.ts';

export const credentials = { username: 'planted-user', password: 'planted-password' };

export interface RepositoryServer {
  readonly server: GitHttpServer;
  readonly url: string;
  isDown: boolean;
  close(): Promise<void>;
}

export async function startRepositoryServer(): Promise<RepositoryServer> {
  const repository = await createGitRepository({
    'a.yaml': configMap('a'),
    'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'chart/values.yaml': 'image: {tag: v1}\nreplicas: 1\n',
    'chart/envs/values-prod.yaml': 'replicas: 3\n',
  });
  await repository.git('tag', 'v1');
  await repository.git('branch', 'next');
  const server = await startGitHttpServer({
    root: dirname(repository.folder),
    authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
    misbehave: () => (started.isDown ? { status: 500 } : undefined),
  });
  const started: RepositoryServer = {
    server,
    url: `${server.url}/${basename(repository.folder)}/.git`,
    isDown: false,
    async close() {
      await server.close();
      await repository.remove();
    },
  };
  return started;
}

export interface RepositoryStage {
  readonly home: EmbeddedHome;
  /** For the service. */
  readonly options: {
    readonly home: KubeApi;
    readonly namespace: string;
    readonly settings: Settings;
    readonly policy: Policy;
    readonly sources: Sources;
    readonly applications: ObjectStore;
    readonly projects: ObjectStore;
    readonly surroundingsOf: () => Record<string, never>;
    readonly clock: Clock;
  };
  /** What the policy was asked. */
  readonly asked: string[];
  /** What the caller may not do. */
  denied: (action: string, object: string) => boolean;
  nowMs: number;
  /** Writes a labelled Secret as somebody writes it by hand. */
  store(name: string, type: string, data: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

export async function openRepositoryStage(): Promise<RepositoryStage> {
  const home = await openEmbeddedHome();
  const { api, log } = home;
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const clock = { nowMs: () => nowMs };
  await prepareHome({ api, namespace: 'argocd', clock, log, hashPassword: async () => 'no password' });
  const settings = await openSettings({ api, namespace: 'argocd', clock, log, coalesceMs: 5 });
  const test = await openTestSources({ credentialsFor: (of, project) => findAccess(settings.current, of, project) });
  const applications = createObjectStore({ api, type: applicationType, log });
  const projects = createObjectStore({ api, type: appProjectType, log });
  for (const objects of [applications, projects]) objects.start();
  const asked: string[] = [];
  const policy: Policy = {
    isAllowed: (_caller, resource, action, object) => {
      asked.push(`${resource},${action},${object}`);
      return !stage.denied(action, object);
    },
  };
  const { sources } = test;
  const stage: RepositoryStage = {
    home,
    options: { home: api, namespace: 'argocd', settings, policy, sources, applications, projects, surroundingsOf: () => ({}), clock },
    asked,
    denied: () => false,
    get nowMs() {
      return nowMs;
    },
    set nowMs(to) {
      nowMs = to;
    },
    async store(name, type, data) {
      settings.noticeWrite(await api.create(kinds.secret, secret(name, data, { 'argocd.argoproj.io/secret-type': type })));
    },
    async close() {
      await applications.stop();
      await projects.stop();
      await test.close();
      await settings.close();
      await home.close();
    },
  };
  return stage;
}
