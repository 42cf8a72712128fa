import { Outlet } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import { connection, useStore, useUser } from '../api/index.ts';
import { Button, Icon, Kbd, Menu, MenuItem, MenuSeparator } from '../design/index.ts';
import { pages } from '../pages/registry.ts';
import { CommandPalette } from './command-palette.tsx';
import { useCommandKeys, useCommands, type Command } from './commands.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { AppLink, useCurrentPath, useGo } from './navigation.tsx';
import { nextTheme, theme } from './theme.ts';
import './frame.css';

/** The side bar, and the page beside it. */
export function Frame(): ReactElement {
  const [isNavOpen, setNavOpen] = useState(false);
  const [overlay, setOverlay] = useState<'palette' | 'help'>();
  useFrameCommands(setOverlay);
  useCommandKeys();
  const close = (): void => setOverlay(undefined);
  return (
    <div className="frame" data-nav-open={isNavOpen || undefined}>
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <header className="top-bar">
        <Button look="quiet" icon="menu" label="Navigation" onClick={() => setNavOpen(!isNavOpen)} />
        <Brand />
        <Button look="quiet" icon="search" label="Search and commands" onClick={() => setOverlay('palette')} />
      </header>
      <SideBar onNavigate={() => setNavOpen(false)} onSearch={() => setOverlay('palette')} onHelp={() => setOverlay('help')} />
      {isNavOpen && <div className="backdrop nav-backdrop" onClick={() => setNavOpen(false)} />}
      <main id="main" className="main" tabIndex={-1}>
        <ConnectionBanner />
        <Outlet />
      </main>
      <CommandPalette isOpen={overlay === 'palette'} onOpen={() => setOverlay('palette')} onClose={close} />
      <KeyboardHelp isOpen={overlay === 'help'} onClose={close} />
    </div>
  );
}

function Brand(): ReactElement {
  return (
    <AppLink to="/applications" className="brand">
      <img src="/favicon.svg" alt="" width={22} height={22} />
      Fairway
    </AppLink>
  );
}

interface SideBarProps {
  readonly onNavigate: () => void;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

function SideBar({ onNavigate, onSearch, onHelp }: SideBarProps): ReactElement {
  const current = findCurrent(useCurrentPath());
  return (
    <nav className="side-bar" aria-label="Main">
      <Brand />
      <button type="button" className="side-search" onClick={onSearch}>
        <Icon name="search" size={14} />
        <span className="grow">Search</span>
        <Kbd>{isApple() ? '⌘' : 'Ctrl'} K</Kbd>
      </button>
      <ul className="side-links">
        {pages.flatMap(({ path: to, nav }) =>
          nav === undefined ? (
            []
          ) : (
            <li key={to} data-below={to.startsWith('/settings/') || undefined}>
              <AppLink to={to} className="side-link" isCurrent={to === current} onClick={onNavigate}>
                <Icon name={nav.icon} />
                {nav.title}
              </AppLink>
            </li>
          ),
        )}
      </ul>
      <div className="side-foot">
        <UserMenu />
        <ThemeButton />
        <Button look="quiet" icon="help" label="Keyboard shortcuts" onClick={onHelp} />
      </div>
    </nav>
  );
}

/** The page of the side bar that a path is on or below; of several the nearest. */
function findCurrent(path: string): string | undefined {
  const above = pages.filter(({ path: to, nav }) => nav !== undefined && (path === to || path.startsWith(`${to}/`)));
  return above.map(({ path: to }) => to).toSorted((one, other) => other.length - one.length)[0];
}

function UserMenu(): ReactElement {
  const user = useUser();
  const go = useGo();
  const name = user?.loggedIn === true ? (user.username ?? '') : 'Not signed in';
  return (
    <Menu label={`Account: ${name}`} look="quiet" icon="user" button={<span className="one-line side-user">{name}</span>}>
      <MenuItem icon="user" onClick={() => go('/user-info')}>
        User info
      </MenuItem>
      <MenuSeparator />
      {user?.loggedIn === true ? (
        <MenuItem icon="signOut" onClick={() => window.location.assign('/auth/logout')}>
          Sign out
        </MenuItem>
      ) : (
        <MenuItem icon="key" onClick={() => go('/login')}>
          Sign in
        </MenuItem>
      )}
    </Menu>
  );
}

const THEME_ICONS = { system: 'monitor', light: 'sun', dark: 'moon' } as const;

function ThemeButton(): ReactElement {
  const current = useStore(theme);
  return (
    <Button
      look="quiet"
      icon={THEME_ICONS[current]}
      label={`Theme: ${current === 'system' ? 'as the system' : current}`}
      onClick={() => theme.set(nextTheme(current))}
    />
  );
}

/** Quiet: what is on the page stays there, and goes on when the server is back. */
function ConnectionBanner(): ReactElement {
  const isDown = useStore(connection) === 'down';
  return (
    <div role="status" aria-live="polite">
      {isDown && (
        <div className="connection-banner">
          <Icon name="progress" size={14} isSpinning />
          The server cannot be reached. What you see is from before; it goes on by itself.
        </div>
      )}
    </div>
  );
}

function useFrameCommands(show: (overlay: 'palette' | 'help') => void): void {
  const go = useGo();
  const commands = useMemo(
    (): readonly Command[] => [
      ...pages.flatMap(({ path, nav }) =>
        nav === undefined
          ? []
          : [
              {
                id: `go ${path}`,
                title: nav.title,
                group: 'Go to',
                icon: nav.icon,
                ...(nav.keys !== undefined && { keys: nav.keys }),
                run: () => go(path),
              },
            ],
      ),
      {
        id: 'new application',
        title: 'New application',
        group: 'Create',
        icon: 'plus',
        keys: 'n',
        run: () => go('/applications/new'),
      },
      { id: 'theme', title: 'Change theme', group: 'Interface', icon: 'moon', keys: 't', run: () => theme.set(nextTheme(theme.get())) },
      { id: 'help', title: 'Keyboard shortcuts', group: 'Interface', icon: 'help', keys: '?', run: () => show('help') },
      { id: 'sign-out', title: 'Sign out', group: 'Interface', icon: 'signOut', run: () => window.location.assign('/auth/logout') },
    ],
    [go, show],
  );
  useCommands(commands);
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(window.navigator.userAgent);
}
