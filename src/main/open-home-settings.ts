import { hashPassword } from '../access/index.ts';
import { systemClock, type Logger } from '../base/index.ts';
import { openSettings, prepareHome, readInitialPassword, type CertificateMaker, type Settings } from '../settings/index.ts';
import { readFormerAccount, type FormerAccount } from './former-admin.ts';
import type { Home } from './home.ts';
import { StartError, toStartError } from './start-error.ts';

export interface HomeSettingsOptions {
  readonly home: Home;
  readonly dataDir: string;
  readonly firstPassword: string | undefined;
  /** Where the server needs a certificate and was given none. */
  readonly certificate: CertificateMaker | undefined;
  readonly log: Logger;
}

export interface HomeSettings {
  readonly settings: Settings;
  /** Known only when this start made it up. */
  readonly generatedPassword: string | undefined;
  /** Whether the password that a first start made up is still kept in the home. */
  readonly hasInitialPassword: boolean;
}

/** Makes what a first start needs, and follows the settings from then on. Throws StartError when that cannot be. */
export async function openHomeSettings({ home, dataDir, firstPassword, certificate, log }: HomeSettingsOptions): Promise<HomeSettings> {
  const { api, namespace } = home;
  const former = home.kind === 'embedded' ? await readFormerAccount(dataDir) : undefined;
  try {
    const common = { api, namespace, clock: systemClock, log };
    if (home.readOnly === true)
      return { settings: await openForeignSettings(common), generatedPassword: undefined, hasInitialPassword: false };
    const { generatedPassword } = await prepareHome({ ...common, hashPassword, firstPassword, formerAdmin: former?.admin, certificate });
    const hasInitialPassword = (await readInitialPassword(api, namespace)) !== undefined;
    const settings = await openSettings(common);
    if (former !== undefined) await takeOver(settings, former, log);
    return { settings, generatedPassword, hasInitialPassword };
  } catch (error) {
    throw toStartError(error, `cannot prepare the namespace ${namespace}`);
  }
}

/** The settings of an installation that somebody else looks after: what is missing there is not made. */
async function openForeignSettings(options: Parameters<typeof openSettings>[0]): Promise<Settings> {
  const settings = await openSettings(options);
  if (settings.current.secret.signingKey !== undefined) return settings;
  await settings.close();
  throw new StartError(`there is no Argo CD in the namespace ${options.namespace}: its Secret argocd-secret has no server.secretkey`);
}

async function takeOver(settings: Settings, former: FormerAccount, log: Logger): Promise<void> {
  await Promise.all([...former.revoked].map(([tokenId, expiresAt]) => settings.revokedTokens.add(tokenId, expiresAt)));
  await former.forget();
  log.info('the admin account moved from its file into the home');
}
