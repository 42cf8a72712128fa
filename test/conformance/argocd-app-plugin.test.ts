import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArgocdUser } from '../support/argocd.ts';
import type { ArgocdUser } from '../support/argocd.ts';
import { IN_CLUSTER } from '../support/argocd-stage.ts';
import { startFairway } from '../support/fairway.ts';
import type { Fairway } from '../support/fairway.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { startPluginServers } from '../support/plugin-server.ts';
import type { PluginServers } from '../support/plugin-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

const slow = { timeout: 60_000 };
const echo = `printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":{"a":"%s","app":"%s","size":"%s"}}' "$ARGOCD_ENV_NAME" "$ARGOCD_ENV_A" "$ARGOCD_APP_NAME" "$PARAM_SIZE"`;
const PLUGINS = [
  {
    name: 'echo',
    spec: {
      version: 'v1',
      generate: { command: ['sh', '-c'], args: [echo] },
      parameters: { static: [{ name: 'size', title: 'Size', string: 'small' }] },
    },
  },
  {
    name: 'recognises',
    spec: { generate: { command: ['cat', 'secret-sauce.txt'] }, discover: { fileName: 'secret-sauce.txt' } },
  },
];

describeWithTool('argocd', 'plugins, with the stock client and the stock server of plugins', (argocd) => {
  let servers: PluginServers;
  let fairway: Fairway;
  let user: ArgocdUser;
  let repository: GitRepository;

  beforeAll(async () => {
    servers = await startPluginServers(await ensureTool('cmp-server'), PLUGINS);
    fairway = await startFairway({ args: ['--plugin-sockets', servers.socketFolder] });
    user = await createArgocdUser(argocd());
    repository = await createGitRepository({ 'app/a.yaml': configMap('plain'), 'sauce/secret-sauce.txt': configMap('sauce') });
    await run('login', fairway.address, '--plaintext', '--username', 'admin', '--password', fairway.adminPassword);
  }, 120_000);
  afterAll(async () => {
    await user?.[Symbol.asyncDispose]();
    await fairway?.stop();
    await servers?.close();
    await repository?.remove();
  });

  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await user.run(...args);
    expect({ args, code, said: code === 0 ? '' : `${stdout}${stderr}` }).toEqual({ args, code: 0, said: '' });
    return stdout;
  };
  const create = (name: string, path: string, ...more: string[]): string[] => [
    ...`app create ${name} --repo ${repository.url} --path ${path} --dest-server ${IN_CLUSTER} --dest-namespace default`.split(' '),
    ...more,
  ];

  it('an application names its plugin and gives it variables and parameters', slow, async () => {
    const plugin = ['--config-management-plugin', 'echo-v1', '--plugin-env', 'NAME=made', '--plugin-env', 'A=B'];
    expect(await run(...create('named', 'app', ...plugin))).toContain("application 'named' created");
    expect(await run('app', 'sync', 'named', '--timeout', '50')).toContain('configmap/made created');
    const manifests = await run('app', 'manifests', 'named', '--source', 'git');
    expect(manifests).toMatch(/a: B\n\s+app: named/);
    await run('app', 'set', 'named', '--plugin-env', 'A=C');
    expect(await run('app', 'manifests', 'named', '--source', 'git')).toContain('a: C');
    const shown = JSON.parse(await run('app', 'get', 'named', '--refresh', '--output', 'json')) as Record<string, never>;
    expect(shown).toMatchObject({
      spec: {
        source: {
          plugin: {
            name: 'echo-v1',
            env: [
              { name: 'NAME', value: 'made' },
              { name: 'A', value: 'C' },
            ],
          },
        },
      },
      status: { sourceType: 'Plugin', sync: { status: 'OutOfSync' } },
    });
  });

  it('a plugin recognises its folder', slow, async () => {
    await run(...create('recognised', 'sauce'));
    expect(await run('app', 'manifests', 'recognised', '--source', 'git')).toContain('name: sauce');
    await run('app', 'get', 'recognised', '--refresh');
  });

  it('a plugin that is not there is named in the error', slow, async () => {
    const { code, stdout, stderr } = await user.run(...create('absent', 'app', '--config-management-plugin', 'echo'));
    expect(code).toBe(20);
    expect(`${stdout}${stderr}`.replaceAll('\\', '')).toContain(
      'CMP processing failed for application "absent": could not find cmp-server plugin with name "echo" supporting the given repository',
    );
  });
});
