import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServerCertificate } from '../../src/server/index.ts';
import { makeKey } from '../conformance/contract/public-key.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { createGitRepository } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeStories } from './support/describe-stories.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { startUiStage, type UiStage } from './support/ui-stage.ts';

const USER = 'deploy';
const PASSWORD = 'right-password';
const HOST_KEY = 'AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f';

describeStories('repositories, certificates and keys', () => {
  let stage: UiStage;
  let git: GitHttpServer;
  /** The address of the private repository. */
  let address: string;
  beforeAll(async () => {
    stage = await startUiStage();
    const { folder } = stage.repository;
    const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
    git = await startGitHttpServer({ root: dirname(folder), authorization });
    address = `${git.url}/${basename(folder)}/.git`;
  });
  afterAll(async () => {
    await stage?.close();
    await git?.close();
  });

  it('a private repository is added with a wrong password, says why it fails, is mended, and can be reached', async () => {
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings');
    allow(/status of (400|500)/);
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Repositories' }).click();
    await page.getByRole('heading', { name: 'No repositories yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a repository' }).click();
    await page.getByLabel('Address', { exact: true }).fill(address);
    await page.getByLabel('Name (optional)').fill('shop');
    await page.getByLabel('Sign in with').selectOption('User name and password');
    await page.getByLabel('User name').fill(USER);
    await page.getByLabel('Password or access token').fill('wrong-password');
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('The server refuses these credentials').waitFor();
    await page.getByText('What the server says').click();
    await page.getByText(/authentication required/).waitFor();
    await expectAccessible(page);

    await page.getByLabel('Password or access token').fill(PASSWORD);
    await page.getByText('The server refuses these credentials').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('can be reached with this').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /shop .*Successful .* Git/ }).waitFor();
    expect(await page.content()).not.toContain(PASSWORD);
    expectNoTrouble();
    await expectAccessible(page);
    await close();
  });

  it('a repository is renamed and keeps its password, which nobody sees and nobody can divert', async () => {
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings/repos');
    allow(/status of 400/);
    await page.getByRole('row', { name: /shop/ }).click();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Name (optional)').fill('storefront');
    await page.getByText('More settings').click();
    await page.getByLabel('Proxy', { exact: true }).fill('http://127.0.0.1:9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/proxy decides where the stored password is sent/).waitFor();
    await page.getByLabel('Proxy', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'storefront' }).waitFor();
    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByRole('dialog').getByText('Successful').waitFor();
    expect(git.requests.at(-1)?.authorization).toBe(`Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`);
    expect(new URL(page.url()).searchParams.get('open')).toBe(address);
    expectNoTrouble();
    await close();
  });

  it('credentials are kept once for all repositories of a server, and whoever removes them is told whose they were', async () => {
    const other = await createGitRepository({ 'a.yaml': 'a: 1' });
    const url = `${git.url}/${basename(other.folder)}/.git`;
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/repos?view=templates', { colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'No credential templates yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a template' }).click();
    await page.getByLabel('Addresses that begin with').fill(git.url);
    await page.getByLabel('Sign in with').selectOption('User name and password');
    await page.getByLabel('User name').fill(USER);
    await page.getByLabel('Password or access token').fill(PASSWORD);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /deploy 0 repositories/ }).waitFor();
    await page.getByRole('button', { name: 'Repositories', exact: true }).click();
    await page.getByRole('button', { name: 'Add a repository' }).click();
    await page.getByLabel('Address', { exact: true }).fill(url);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /Successful .*from a template/ }).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Credential templates' }).click();
    await page.getByRole('row', { name: /1 repository/ }).waitFor();
    await page.getByRole('button', { name: /^What to do with/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByText('may no longer be reached').waitFor();
    await page.getByRole('dialog').getByText(url).waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'No credential templates yet' }).waitFor();
    await page.getByRole('button', { name: 'Repositories', exact: true }).click();
    await page.getByRole('button', { name: 'Try all again' }).click();
    await page.getByRole('button', { name: 'Connection' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click();
    await page.getByText('The server refuses these credentials').waitFor();
    expect(new URL(page.url()).searchParams.get('state')).toBe('Failed');
    expectNoTrouble();
    await close();
    await other.remove();
  });

  it('whoever removes a repository is told which applications use it', async () => {
    await stage.createApplication('till', { automated: false });
    await stage.call('POST', '/api/v1/repositories', { repo: stage.repository.url, name: 'till-manifests' });
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/repos?search=till');
    await page.getByRole('row', { name: /till-manifests/ }).click();
    await page.getByText('One application uses it').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog', { name: /Remove till-manifests/ }).waitFor();
    await page.getByRole('link', { name: 'till', exact: true }).waitFor();
    await page.getByText('They keep what they have deployed').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'No repository matches' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('repositories that are written to are kept apart, where the installation writes at all', async () => {
    await stage.configure('argocd-cmd-params-cm', { 'hydrator.enabled': 'true' });
    await waitUntil(async () => (await stage.call('GET', '/api/v1/settings')).text.includes('"hydratorEnabled":true'));
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings/repos?view=write');
    allow(/status of 400/);
    await page.getByRole('heading', { name: 'No repositories yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a repository' }).click();
    await page.getByLabel('Address', { exact: true }).fill(address);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('missing credentials in request').waitFor();
    await page.getByLabel('Sign in with').selectOption('User name and password');
    await page.getByLabel('User name').fill(USER);
    await page.getByLabel('Password or access token').fill(PASSWORD);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: new RegExp(address.replaceAll('.', String.raw`\.`)) }).waitFor();
    await page.getByRole('button', { name: 'Templates for writing' }).click();
    await page.getByRole('heading', { name: 'No credential templates yet' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('host keys are pasted as ssh-keyscan prints them, replaced only on purpose, and removed', async () => {
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings/certs');
    allow(/status of 409/);
    const add = async (lines: string, isReplacing = false): Promise<void> => {
      await page.getByRole('button', { name: 'SSH host keys' }).click();
      await page.getByLabel('Known hosts').fill(lines);
      if (isReplacing) await page.getByLabel('Replace what is there').check();
      await page.getByRole('button', { name: /^Add/ }).click();
    };
    await page.getByRole('button', { name: 'SSH host keys' }).click();
    await page.getByLabel('Known hosts').fill(`|1|hidden=|hash= ssh-ed25519 ${HOST_KEY}`);
    await page.getByText('Line 1 hides its host').first().waitFor();
    await page.keyboard.press('Escape');
    await add(`# keys\ngit.shop.example,[git.shop.example]:2222 ssh-ed25519 ${HOST_KEY}`);
    await page.getByRole('row', { name: /\[git\.shop\.example\]:2222 SSH ssh-ed25519 SHA256:/ }).waitFor();
    await add(`git.shop.example ssh-ed25519 ${HOST_KEY.replace(/f$/, 'g')}`);
    await page.getByText('Tick the box above').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await add(`git.shop.example ssh-ed25519 ${HOST_KEY.replace(/f$/, 'g')}`, true);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove git.shop.example ssh-ed25519', exact: true }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('row', { name: /^git\.shop\.example/ }).waitFor({ state: 'detached' });
    expect((await stage.call('GET', '/api/v1/certificates')).text).not.toContain('"git.shop.example"');
    expectNoTrouble();
    await expectAccessible(page);
    await close();
  });

  it('a TLS certificate is pasted in part, then whole; the list says whose it is and until when, and it is removed', async () => {
    const host = 'git.shop.example';
    const make = (at: Date): string => createServerCertificate(host, at).certificate;
    const [old, fresh] = [make(new Date('2020-01-01')), make(new Date())];
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings/certs', { colorScheme: 'dark' });
    allow(/status of (400|409)/);
    await page.getByRole('button', { name: 'TLS certificate' }).click();
    const form = page.getByRole('dialog');
    const add = form.getByRole('button', { name: 'Add', exact: true });
    await form.getByLabel('Server', { exact: true }).fill(host);
    await form.getByLabel('Certificates').fill('-----BEGIN PRIVATE KEY-----');
    await add.hover();
    await page.getByText('This is a private key').waitFor();
    await form.getByLabel('Certificates').fill(old.replace(/[\s\S]{200}-----END/, '-----END'));
    await add.click();
    await form.getByText('could not parse X509 data from input').waitFor();
    await form.getByText('This is no whole certificate').waitFor();
    await expectAccessible(page);
    await form.getByLabel('Certificates').fill(old);
    await add.click();
    await page.getByRole('row', { name: /^git\.shop\.example TLS \w+ O=Fairway expired \d+y ago/ }).waitFor();

    await page.getByRole('button', { name: 'TLS certificate' }).click();
    await form.getByLabel('Server', { exact: true }).fill(host);
    await form.getByLabel('Certificates').fill(fresh);
    await add.click();
    await form.getByText('Tick the box above').waitFor();
    await form.getByLabel('Replace what is there').check();
    await add.click();
    await page.getByRole('row', { name: /O=Fairway expired/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /^git\.shop\.example TLS \w+ O=Fairway [\d/]+/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Remove git\.shop\.example (?!ssh)/ }).click();
    await page.getByText('checked against what the system trusts again').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('row', { name: /O=Fairway/ }).waitFor({ state: 'detached' });
    expect((await stage.call('GET', '/api/fairway/v1/certificates')).json).toEqual({ items: [] });
    expectNoTrouble();
    await close();
  });

  it('a GnuPG key is added, looked at and removed, and a private one is not sent anywhere', async () => {
    const key = makeKey('Ada Test <ada@example.com>', 3);
    const { page, expectNoTrouble, close } = await stage.openSignedIn('/settings/gpgkeys');
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a key' }).click();
    await page.getByLabel('Public key').fill(key.data.replaceAll('PUBLIC KEY', 'PRIVATE KEY'));
    await page.getByRole('button', { name: 'Add', exact: true }).hover();
    await page.getByText('This is a private key').waitFor();
    await page.getByLabel('Public key').fill(key.data);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row', { name: /Ada Test <ada@example\.com> rsa2048/ }).click();
    await page.getByText('-----BEGIN PGP PUBLIC KEY BLOCK-----').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('no longer count as signed').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    expectNoTrouble();
    await close();
  });

  it('what others wrote is text and nothing else: no script, no link that runs one, nothing turned around', async () => {
    const hostile = '\u202egnp.exe<img src=x onerror=alert(1)>';
    const label = { 'argocd.argoproj.io/secret-type': 'repository' };
    await stage.home.create(kinds.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'argocd', name: 'hostile', labels: label },
      stringData: { url: 'javascript:alert(document.domain)', name: hostile, type: '<b>git</b>', project: '"><script>alert(1)</script>' },
    });
    await stage.configure('argocd-ssh-known-hosts-cm', { ssh_known_hosts: `<script>alert(1)</script> ssh-ed25519 ${HOST_KEY}\n` });
    const { page, allow, expectNoTrouble, close } = await stage.openSignedIn('/settings/repos');
    allow(/status of 403/);
    page.on('dialog', () => expect.unreachable('a script ran'));
    await page.getByRole('row', { name: /⟨U\+202E⟩gnp\.exe<img src=x onerror=alert/ }).click();
    await page.getByText('javascript:alert(document.domain)').last().waitFor();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.locator('#root img[src="x"], [role=dialog] img').count()).toBe(0);
    const bidi = await page.evaluate('getComputedStyle(document.querySelector("[role=dialog] h2")).unicodeBidi');
    expect(bidi).toMatch(/isolate|plaintext/);
    await page.goto('/settings/certs');
    await page.getByRole('row', { name: /<script>alert\(1\)<\/script> SSH/ }).waitFor();
    await page.goto('/settings/clusters/javascript%3Aalert(1)');
    await page.getByText('javascript:alert(1) could not be read').waitFor();
    expectNoTrouble();
    await close();
  });
});
