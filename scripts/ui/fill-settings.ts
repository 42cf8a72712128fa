/** Repositories, certificates, keys, clusters and accounts to look at, some of them in trouble. */
import { randomBytes } from 'node:crypto';
import { makeKey } from '../../test/conformance/contract/public-key.ts';
import { kinds } from '../../test/support/kinds.ts';
import type { UiStage } from '../../test/ui/support/ui-stage.ts';

const TYPE_LABEL = 'argocd.argoproj.io/secret-type';

export async function fillSettings(stage: UiStage): Promise<void> {
  const { call, home, repository } = stage;
  const add = async (path: string, body: unknown): Promise<void> => {
    const { status, text } = await call('POST', path, body);
    if (status !== 200) throw new Error(`${path}: ${text}`);
  };
  await add('/api/v1/repositories', { repo: repository.url, name: 'deploy' });
  for (const [repo, name, project] of [
    ['http://127.0.0.1:9/payments/deploy.git', 'payments', 'payments'],
    ['https://git.invalid/shop/tools.git', 'tools', 'default'],
  ])
    await add('/api/v1/repositories', { repo, name, project, username: 'deploy', password: 'not shown' });
  await add('/api/v1/repositories', { repo: 'https://charts.invalid/stable', name: 'stable', type: 'helm', project: 'default' });
  await add('/api/v1/repocreds', { url: 'https://git.example/shop', username: 'deploy', password: 'not shown' });
  await add('/api/v1/repocreds', { url: 'git@git.example:payments', sshPrivateKey: 'not shown' });
  const hosts = ['git.example', '[git.example]:2222'];
  await add('/api/v1/certificates', { items: hosts.map((serverName) => hostKey(serverName)) });
  await add('/api/v1/gpgkeys', { keyData: makeKey('Ada Test <ada@example.com>', 7).data });
  for (const [name, server] of [
    ['frankfurt', 'https://127.0.0.1:9'],
    ['paris', 'https://paris.invalid:6443'],
  ] as const)
    await home.create(kinds.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'argocd', name: `cluster-${name}`, labels: { [TYPE_LABEL]: 'cluster', env: 'production', region: name } },
      stringData: {
        name,
        server,
        config: JSON.stringify({ bearerToken: 'not shown', tlsClientConfig: { insecure: false } }),
        namespaces: 'shop,tools',
      },
    });
  await stage.configure('argocd-cm', {
    'accounts.ci': 'apiKey',
    'accounts.ada': 'login, apiKey',
    'accounts.retired': 'login',
    'accounts.retired.enabled': 'false',
  });
}

function hostKey(serverName: string): object {
  const type = 'ssh-ed25519';
  const size = Buffer.alloc(4);
  size.writeUInt32BE(type.length);
  const key = Buffer.concat([size, Buffer.from(type), Buffer.from([0, 0, 0, 32]), randomBytes(32)]).toString('base64');
  return { serverName, certType: 'ssh', certSubType: type, certData: Buffer.from(key).toString('base64') };
}
