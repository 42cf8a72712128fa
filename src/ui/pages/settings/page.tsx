import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Settings } from '../../../contract/gen/types.ts';
import { settingsQuery, useStore } from '../../api/index.ts';
import { AppLink, theme, type Theme } from '../../app/index.ts';
import { Badge, ErrorState, ExternalLink, Facts, Icon, Loading, type Fact } from '../../design/index.ts';
import { pages } from '../registry.ts';
import './settings.css';

const THEMES: readonly { readonly id: Theme; readonly title: string; readonly icon: 'monitor' | 'sun' | 'moon' }[] = [
  { id: 'system', title: 'As the system', icon: 'monitor' },
  { id: 'light', title: 'Light', icon: 'sun' },
  { id: 'dark', title: 'Dark', icon: 'moon' },
];

/** What can be set up, how it looks, and how this server is configured. */
export function Page(): ReactElement {
  return (
    <>
      <header className="page-head">
        <h1>Settings</h1>
      </header>
      <div className="page-body settings">
        <Areas />
        <Appearance />
        <Server />
      </div>
    </>
  );
}

/** The pages below this one, as far as there are any. */
function Areas(): ReactElement | null {
  const areas = pages.flatMap(({ path, nav }) => (path.startsWith('/settings/') && nav !== undefined ? [{ path, nav }] : []));
  if (areas.length === 0) return null;
  return (
    <nav className="settings-areas" aria-label="Settings">
      {areas.map(({ path, nav }) => (
        <AppLink key={path} to={path} className="card settings-area">
          <Icon name={nav.icon} />
          {nav.title}
        </AppLink>
      ))}
    </nav>
  );
}

function Appearance(): ReactElement {
  const chosen = useStore(theme);
  return (
    <section className="card settings-card">
      <h2>Appearance</h2>
      <fieldset className="settings-themes">
        <legend className="visually-hidden">Theme</legend>
        {THEMES.map(({ id, title, icon }) => (
          <label key={id} className="settings-theme" data-chosen={id === chosen || undefined}>
            <input type="radio" name="theme" className="check" checked={id === chosen} onChange={() => theme.set(id)} />
            <Icon name={icon} />
            {title}
          </label>
        ))}
      </fieldset>
      <p className="faint">Kept in this browser.</p>
    </section>
  );
}

function Server(): ReactElement {
  const { data, error, refetch } = useQuery(settingsQuery);
  return (
    <section className="card settings-card">
      <h2>This server</h2>
      {error !== null && <ErrorState error={error} what="The settings could not be read" onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading what="Reading the settings" />}
      {data !== undefined && <Facts facts={factsOf(data)} />}
      <p className="faint">
        These come from the ConfigMaps <code>argocd-cm</code> and <code>argocd-cmd-params-cm</code> and follow them at once.
      </p>
    </section>
  );
}

function factsOf(settings: Settings): readonly Fact[] {
  const { url, oidcConfig, dexConfig, trackingMethod, appLabelKey, controllerNamespace, passwordPattern } = settings;
  const provider = oidcConfig?.name || oidcConfig?.issuer || dexConfig?.connectors?.map(({ name }) => name).join(', ');
  return [
    ['Address', url ? <ExternalLink href={url} /> : 'not set'],
    ['Single sign-on', provider || 'not set up'],
    ['Accounts with a password', <Switch key="accounts" isOn={settings.userLoginsDisabled !== true} />],
    ['Control plane', controllerNamespace ? <code>{controllerNamespace}</code> : '—'],
    ['Applications elsewhere', <Switch key="elsewhere" isOn={settings.appsInAnyNamespaceEnabled === true} />],
    ['Resources are tracked by', trackingMethod || 'annotation'],
    ['Label of an application', <code key="label">{appLabelKey}</code>],
    ['Applied as service accounts', <Switch key="impersonation" isOn={settings.impersonationEnabled === true} />],
    ['Status badges', <Switch key="badges" isOn={settings.statusBadgeEnabled === true} />],
    ['New passwords match', passwordPattern ? <code>{passwordPattern}</code> : '—'],
    ['Kinds with rules of their own', String(Object.keys(settings.resourceOverrides ?? {}).length)],
  ];
}

function Switch({ isOn }: { readonly isOn: boolean }): ReactElement {
  return <Badge tone={isOn ? 'good' : 'mute'}>{isOn ? 'on' : 'off'}</Badge>;
}
