import { spawn, type ChildProcess } from 'node:child_process';
import { connect, createServer, type AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startOidcProvider, type OidcProvider } from './oidc-provider.ts';
import { runCommand } from './run-command.ts';
import type { SsoFairway } from './sso-fairway.ts';
import { waitUntil } from './wait-until.ts';

/** How people sign in with the stock client and a provider. */
export function describeSsoStories(open: () => Promise<{ readonly argocd: string; readonly server: SsoFairway }>): void {
  let argocd: string;
  let server: SsoFairway;
  let provider: OidcProvider;
  let home: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'argocd-sso-'));
    env = { HOME: home, ARGOCD_CONFIG_DIR: join(home, 'config'), PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
    ({ argocd, server } = await open());
    provider = await startOidcProvider({ redirectUris: [`${server.url}/auth/callback`] });
    await server.useProvider(provider);
  });

  afterAll(async () => {
    await server?.close();
    await provider?.close();
    await rm(home, { recursive: true, force: true });
  });

  /** Starts the client, which prints an address to open and waits for the browser to come back to it. */
  async function startLogin(...args: readonly string[]) {
    const port = await findPort();
    const child = spawn(argocd, [...args, '--sso-port', String(port), '--sso-launch-browser=false'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = collect(child);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await waitUntil(() => /^.*https?:\/\/\S+\/auth\?\S+/m.test(output.text) || child.exitCode !== null);
    // It prints the address a moment before it listens.
    await waitUntil(async () => child.exitCode !== null || (await isOpen(port)));
    const address = /https?:\/\/\S+\/auth\?\S+/.exec(output.text)?.[0] ?? '';
    return { port, address, output, ended, child };
  }

  const login = () => startLogin('login', server.fairway.address, '--plaintext', '--sso');

  it('signs in, with PKCE and its own client, and is known by name and groups', async () => {
    provider.person = { sub: 'carol', email: 'carol@example.com', groups: ['shop'] };
    const { port, address, output, ended } = await login();
    expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({
      client_id: 'fairway-cli',
      code_challenge_method: 'S256',
      redirect_uri: `http://localhost:${port}/auth/callback`,
    });
    const page = await new Browser().open(address);
    expect(page.text).toContain('Authentication successful');
    expect({ code: await ended, said: output.text }).toMatchObject({
      code: 0,
      said: expect.stringContaining("'carol@example.com' logged in successfully") as string,
    });
    const info = await runCommand(argocd, ['account', 'get-user-info'], env);
    expect(info.stdout).toBe(`Logged In: true\nUsername: carol@example.com\nIssuer: ${provider.issuer}\nGroups: shop\n`);
  });

  it('signs in again, and out', async () => {
    const { address, output, ended } = await startLogin('relogin');
    await new Browser().open(address);
    expect({ code: await ended, said: output.text }).toMatchObject({ code: 0 });
    const token = /auth-token: (\S+)/.exec(await readFile(join(home, 'config', 'config'), 'utf8'))?.[1] ?? '';
    expect(await server.userInfo({ authorization: `Bearer ${token}` })).toMatchObject({ loggedIn: true });
    const out = await runCommand(argocd, ['logout', server.fairway.address, '--plaintext'], env);
    expect({ code: out.code, said: `${out.stdout}${out.stderr}` }).toMatchObject({ code: 0 });
    const answer = await fetch(`${server.url}/api/v1/applications`, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('token is revoked')]);
  });

  it('SSO-19: shows no page of others in its own callback', async () => {
    const { port, ended, output } = await login();
    const evil = encodeURIComponent('<script>alert(1)</script>');
    // The client may have ended before all of its answer is out.
    const answered = await fetch(`http://localhost:${port}/auth/callback?error=${evil}&error_description=${evil}`)
      .then((answer) => answer.text())
      .catch(String);
    expect(answered).not.toContain('<script>');
    expect(await ended).not.toBe(0);
    expect(output.text).not.toContain('logged in successfully');
  });

  it('is told what to set in place of dex.config', async () => {
    const dex = JSON.stringify({ connectors: [{ type: 'github', id: 'hub', name: 'GitHub' }] });
    await server.configure('argocd-cm', { 'oidc.config': null, 'dex.config': dex });
    await waitUntil(async () => (await server.settings())['oidcConfig'] === undefined);
    const { ended, output } = await login();
    expect(await ended).not.toBe(0);
    expect(output.text).toContain('Set oidc.config in argocd-cm');
  });
}

function collect(child: ChildProcess): { text: string } {
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output.text += text));
  return output;
}

/** The client takes no port 0. */
async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
